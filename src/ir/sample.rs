//! What is sampled in the middle of a flow, a row for each as for instructions.

use super::table::Access::{Perhaps, Read, Write};
use super::table::{Names, Reader, Renamer, instructions};
use super::verify::Verifier;
use super::{FaultId, NodeId, Operand, Slot, Table};

instructions! {
    with t, n, tables, v;

    /// What is sampled in the middle of a flow. Each takes its random numbers as a [`Program`](super::Program) says.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum SampleCode {
        /// A number below the one in `n`, or 0 for none.
        Below { dst: Slot, bound: Slot } => {
            touches {
                t.number(Read, bound);
                t.number(Write, dst);
            }
            text { format!("{} = any below {}", n.slot(dst), n.slot(bound)) }
        }
        /// A number below `bound`, and the element of the set that has so many elements before it; `hit`: whether there
        /// is one. The element with ordinal 0 has the value `lo`.
        Member { dst: Slot, set: Operand, lo: i64, bound: u64, hit: Slot } => {
            touches {
                t.set(Read, set);
                t.number(Write, dst);
                t.number(Write, hit);
            }
            text {
                let (dst, hit) = (n.slot(dst), n.slot(hit));
                format!("{dst}, {hit} = any of {bound} in {}", n.set(set))
            }
            law { v.at_least_one(*bound, "a number below 0") }
        }
        /// No number: how many attempts are left, as something that no pass takes for known.
        Attempts { dst: Slot, attempts: u32 } => {
            touches { t.number(Write, dst); }
            text { format!("{} = {attempts} attempts", n.slot(dst)) }
            law { v.only_in_playouts() }
        }
        /// One element of a set, whose element with ordinal 0 has the value `lo`.
        Element { dst: Slot, set: Operand, lo: i64, fault: FaultId } => {
            touches {
                t.set(Read, set);
                t.number(Write, dst);
            }
            text { format!("{} = one of {}", n.slot(dst), n.set(set)) }
            law { v.fault(*fault) }
        }
        /// `count` elements of a set.
        Subset { dst: Operand, set: Operand, count: Slot, fault: FaultId } => {
            touches {
                t.number(Read, count);
                t.set(Read, set);
                t.set(Write, dst);
            }
            text { format!("{} = any {} of {}", n.set(dst), n.slot(count), n.set(set)) }
            law { v.only_in_playouts() }
        }
        /// No number: whether any tuple has been emitted since the last sampling.
        Listed { dst: Slot } => {
            touches { t.number(Write, dst); }
            text { format!("{} = any emitted", n.slot(dst)) }
            law { v.only_in_playouts() }
        }
        /// One of the tuples emitted since the last sampling, by weight; its values go to the parts of its alternative.
        Tuple { chosen: Slot, alternatives: Vec<Vec<Operand>>, fault: FaultId } => {
            touches {
                // Only the parts of one alternative are written; what the others had before may be wanted still.
                let access = if alternatives.len() == 1 { Write } else { Perhaps };
                for parts in alternatives {
                    for part in parts {
                        t.any(access, part);
                    }
                }
                t.number(Write, chosen);
            }
            text {
                let parts: Vec<String> = alternatives.iter().flatten().map(|o| n.set(o)).collect();
                format!("{}, ({}) = one emitted", n.slot(chosen), parts.join(", "))
            }
            law { v.only_in_playouts() }
        }
        /// No number: a trial has taken something, so that steps are counted anew.
        Taken {} => {
            touches {}
            text { "taken".to_string() }
            law { v.only_in_playouts() }
        }
        /// No number: keeps where the random numbers are.
        Keep {} => {
            touches {}
            text { "keep the random numbers".to_string() }
            law { v.only_in_playouts() }
        }
        /// Goes back to where they were kept last, as if nothing had been drawn since.
        Rewind {} => {
            touches {}
            text { "draw from those kept".to_string() }
            law { v.only_in_playouts() }
        }
        /// Reports the action taken at a node, or the outcome drawn there, to the observer of the playout.
        Report {
            /// `None`: chance.
            player: Option<Slot>,
            node: NodeId,
            /// The number of the arm.
            arm: u32,
            chosen: Slot,
            alternatives: Vec<Vec<Operand>>,
        } => {
            touches {
                if let Some(player) = player {
                    t.number(Read, player);
                }
                t.number(Read, chosen);
                for parts in alternatives {
                    for part in parts {
                        t.any(Read, part);
                    }
                }
            }
            text { format!("tell of node {} arm {arm}", node.0) }
            law { v.only_in_playouts() }
        }
    }
}
