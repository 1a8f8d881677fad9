//! The flow of a playout as text: what `ruse show --ir --pass` prints.

use super::Flow;
use crate::ir::{Program, Slot, show_word};

impl Program {
    /// The flow of a playout as text. Constants stand for the slots that hold them.
    pub fn show_flow(&self, flow: &Flow) -> String {
        let name = &|slot: Slot| match flow.pool.constant(slot) {
            Some(word) => show_word(word),
            None if slot == flow.last => "last".to_string(),
            None => self.slot_name(slot),
        };
        let mut text = format!(
            "playouts of {}: {} blocks, {} constants\n",
            self.description.name,
            flow.blocks.len(),
            flow.pool.words.len()
        );
        for entry in &flow.entries {
            let by: Vec<String> = entry.keys.iter().map(|(slot, _, _)| name(*slot)).collect();
            let at: Vec<String> = entry.blocks.iter().map(|b| format!("b{}", b.0)).collect();
            let by = match by.is_empty() {
                true => String::new(),
                false => format!(" by {}", by.join(", ")),
            };
            text += &format!("node {}{by}: {}\n", entry.node, at.join(", "));
        }
        for (i, block) in flow.blocks.iter().enumerate() {
            text += &format!("b{i}:\n");
            for instr in &block.instrs {
                text += &format!("  {}\n", self.show_instr(instr, name));
            }
            text += &format!("  {}\n", self.show_term(&block.term, name));
        }
        text
    }
}
