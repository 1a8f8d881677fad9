//! A tree in the language of Graphviz: players by colour, moves and chances on the edges, payoffs at the ends, and a dashed
//! line from each node of an information set to the next.

use super::{ExtensiveForm, FormKind};
use std::fmt::Write;

/// Colours of players that also colour-blind people tell apart (Okabe & Ito 2008); further players begin again.
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999933",
];

/// The text of a file.
pub fn write(form: &ExtensiveForm) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&form.title));
    text.push_str("  node [fontname=\"sans-serif\", fontsize=11];\n");
    text.push_str("  edge [fontname=\"sans-serif\", fontsize=10, arrowhead=none];\n");
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); form.sets.len()];
    for (number, node) in (0u32..).zip(&form.nodes) {
        if let FormKind::Decision(set) = node.kind {
            members[set as usize].push(number);
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "  n{number} [{}];", look(form, node.kind));
        for (i, child) in node.range().enumerate() {
            let label = quoted(&branch(form, node.kind, i));
            let _ = writeln!(text, "  n{number} -> n{child} [label={label}];");
        }
    }
    for (set, nodes) in form.sets.iter().zip(&members) {
        let colour = colour(set.player);
        for pair in nodes.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let _ = writeln!(
                text,
                "  n{from} -> n{to} [style=dashed, color=\"{colour}\", constraint=false];"
            );
        }
    }
    text.push_str("}\n");
    text
}

/// The colour of a player.
pub(super) fn colour(player: u32) -> &'static str {
    COLOURS[player as usize % COLOURS.len()]
}

/// The attributes of a node.
fn look(form: &ExtensiveForm, kind: FormKind) -> String {
    match kind {
        FormKind::Chance(_) => "shape=diamond, label=\"chance\"".to_string(),
        FormKind::Decision(set) => {
            let set = &form.sets[set as usize];
            let name = quoted(&form.players[set.player as usize]);
            let saw = quoted(&set.saw.join(", "));
            let colour = colour(set.player);
            format!(
                "shape=ellipse, label={name}, tooltip={saw}, color=\"{colour}\", fontcolor=\"{colour}\""
            )
        }
        FormKind::End(vector) => {
            let payoffs = form.payoffs[vector as usize].iter();
            let payoffs: Vec<String> = payoffs.map(ToString::to_string).collect();
            format!("shape=plaintext, label={}", quoted(&payoffs.join(", ")))
        }
        FormKind::Cut => "shape=plaintext, label=\"…\"".to_string(),
    }
}

/// What stands at the `i`-th edge below a node.
pub(super) fn branch(form: &ExtensiveForm, kind: FormKind, i: usize) -> String {
    match kind {
        FormKind::Chance(draw) => {
            let outcome = &form.draws[draw as usize][i];
            format!("{} ({})", outcome.text, outcome.probability)
        }
        FormKind::Decision(set) => form.sets[set as usize].moves[i].clone(),
        FormKind::End(_) | FormKind::Cut => String::new(),
    }
}

/// A text between quotation marks, in which nothing has a meaning.
fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}
