//! The nodes that a simulation has passed on its way down.

use super::policies::Selected;

/// A path whose memory is used again by the next simulation: what is chosen at a node is written where it stays.
#[derive(Debug)]
pub struct Path<T> {
    passed: Vec<Passed<T>>,
    /// How many of them are of the simulation under way.
    length: usize,
}

/// A node on the way of a simulation.
#[derive(Debug)]
pub struct Passed<T> {
    pub node: u32,
    /// The place of the cell by which it was left.
    pub cell: u32,
    pub step: Selected<T>,
}

impl<T: Default> Path<T> {
    pub fn new() -> Path<T> {
        Path {
            passed: Vec::new(),
            length: 0,
        }
    }

    /// A simulation begins.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Goes on from a node: what is chosen there is still to be written, and its indices are empty.
    #[inline]
    pub fn leave(&mut self, node: u32) -> &mut Passed<T> {
        let place = self.length;
        self.length += 1;
        if place == self.passed.len() {
            self.passed.push(Passed {
                node,
                cell: 0,
                step: Selected::default(),
            });
        }
        let passed = &mut self.passed[place];
        passed.node = node;
        passed.step.indices.clear();
        passed.step.filling = false;
        passed
    }

    /// The simulation stays at the last node after all.
    pub fn stay(&mut self) {
        self.length -= 1;
    }

    #[inline]
    pub fn last(&self) -> Option<&Passed<T>> {
        self.all().last()
    }

    /// From the root down.
    #[inline]
    pub fn all(&self) -> &[Passed<T>] {
        &self.passed[..self.length]
    }
}
