//! The passes of the compiler on small made-up games, one file for each group. What compiled games do is tested in
//! `machine::tests`.

mod kinds;
mod layouts;
mod liveness;
mod lowering;
mod simplify_cfg;
mod verify;

use super::assemble;
use crate::ir::{NodeKind, Program};
use crate::model::Description;
use crate::text::diagnostics::Severity;

/// The description of a game that must pass the check; notes are no matter.
#[track_caller]
fn described(text: &str) -> Description {
    let (file, problems) = crate::syntax::parse(text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    let (description, problems) = crate::check::check(&file.expect("a file"), &Default::default());
    let noted = problems.iter().all(|p| p.severity == Severity::Note);
    assert!(noted, "{problems:?}\n{text}");
    description.expect("a description")
}

#[track_caller]
fn compiled(text: &str) -> Program {
    assemble(described(text), true).expect("a program")
}

/// A game of Ann and Ben with a payoff of its own.
fn game(state: &str, play: &str, payoff: &str) -> String {
    format!(
        "game Small {{ players {{ Ann, Ben }}\n state {{ {state} }}\n play {{ {play} }}\n payoff {payoff} }}\n"
    )
}

const NOTHING: &str = "general-sum: [whoever in Player] 0";

/// The names of what makes up a state's identity at each node, but for the terminal one, in the order of the nodes.
fn live(program: &Program) -> Vec<Vec<String>> {
    let nodes = program.nodes.iter().enumerate();
    nodes
        .filter(|(_, node)| !matches!(node.kind, NodeKind::Terminal))
        .map(|(i, _)| live_at(program, i))
        .collect()
}

fn live_at(program: &Program, node: usize) -> Vec<String> {
    let mask = &program.layout.live[node];
    let fields = program.layout.fields.iter();
    fields
        .filter(|f| mask[f.word as usize] >> f.shift & f.mask() != 0)
        .map(|f| {
            let name = program.slot_name(f.slot);
            name.split('#').next().unwrap_or_default().to_string()
        })
        .collect()
}
