//! Warehouses drawn at random (Karwowski & Mańdziuk 2019, section 4.3 and Table 3): a grid of storage rooms and corridors, of
//! which some are joined.
//!
//! The paper leaves open how corridors lie: here each crossing is the meeting of a row and a column, all of whose cells are
//! corridors. Neighbouring corridors are joined, and a building in which not every room can be come to is drawn again.

use crate::cli::import::{Grid, Map};
use crate::random::Stream;
use rand::RngExt;
use std::collections::{BTreeSet, VecDeque};

/// What is drawn, by the names of Table 3.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// n and m: cells to the right and down.
    pub width: usize,
    pub length: usize,
    /// c.
    pub crossings: usize,
    /// p_d: how likely a door is between a corridor and a room.
    pub doors: f64,
    /// p_s: how likely two neighbouring rooms are joined.
    pub joined: f64,
    pub targets: usize,
    /// E_max and D_max.
    pub most_prize: u32,
    pub most_loss: u32,
    /// The evader's penalty and the defender's reward where the evader is caught: in a room that is no target, and in one.
    pub penalty: f64,
    pub target_penalty: f64,
    pub reward: f64,
    pub target_reward: f64,
    /// T, and the defender's units.
    pub rounds: usize,
    pub units: usize,
    /// Whether games with an obvious answer are kept (section 4.3.2).
    pub any: bool,
}

/// A warehouse: its map, and how its vertices lie.
#[derive(Debug)]
pub struct Warehouse {
    pub map: Map,
    pub grid: Grid,
    pub corridors: BTreeSet<usize>,
}

/// What is joined, by cells.
type Edges = Vec<(usize, usize)>;

/// So many buildings are drawn before it is given up.
const DRAWS: usize = 100_000;

/// Why there is no warehouse of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Missing {
    /// More rooms are needed than there are.
    Rooms { rooms: usize, needed: usize },
    /// No room has a door.
    Doors,
    /// Without rooms that are joined, those that no corridor passes cannot be come to.
    Joined,
    /// Of so many draws, in so many all of the building could be come to, and none had an answer that was not obvious.
    Unlucky { draws: usize, whole: usize },
}

impl Plan {
    /// A warehouse of this kind.
    ///
    /// # Errors
    /// Where there can be none, and where none was found in many draws.
    pub fn draw(&self, rng: &mut Stream) -> Result<Warehouse, Missing> {
        self.possible()?;
        let mut whole = 0;
        for _ in 0..DRAWS {
            let Some(building) = self.building(rng) else {
                continue;
            };
            whole += 1;
            match self.furnish(building, rng) {
                Some(drawn) if self.any || !drawn.map.is_trivial() => return Ok(drawn),
                _ => {}
            }
        }
        let draws = DRAWS;
        Err(Missing::Unlucky { draws, whole })
    }

    /// What the numbers alone say.
    fn possible(&self) -> Result<(), Missing> {
        let columns = self.crossings.min(self.width);
        let lines = self.crossings.min(self.length);
        let rooms = (self.width - columns) * (self.length - lines);
        let needed = self.targets + 1;
        // A corridor passes the rooms on both of its sides.
        let passed = 3 * columns >= self.width || 3 * lines >= self.length;
        match () {
            () if rooms < needed => Err(Missing::Rooms { rooms, needed }),
            () if self.doors == 0.0 => Err(Missing::Doors),
            () if self.joined == 0.0 && !passed => Err(Missing::Joined),
            () => Ok(()),
        }
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (cell % self.width, cell / self.width);
        let right = (x + 1 < self.width).then_some(cell + 1);
        let below = (y + 1 < self.length).then_some(cell + self.width);
        right.into_iter().chain(below)
    }

    /// Corridors and what is joined, by cells; `None` where not all of it is.
    fn building(&self, rng: &mut Stream) -> Option<(BTreeSet<usize>, Edges)> {
        let columns = some(self.width, self.crossings, rng);
        let rows = some(self.length, self.crossings, rng);
        let is_corridor = |cell: &usize| {
            columns.contains(&(cell % self.width)) || rows.contains(&(cell / self.width))
        };
        let corridors: BTreeSet<usize> =
            (0..self.width * self.length).filter(is_corridor).collect();
        let mut edges = Vec::new();
        for cell in 0..self.width * self.length {
            for other in self.neighbours(cell) {
                let ways = usize::from(is_corridor(&cell)) + usize::from(is_corridor(&other));
                let likely = [self.joined, self.doors, 1.0][ways];
                if rng.random::<f64>() < likely {
                    edges.push((cell, other));
                }
            }
        }
        let reached = distances(self.width * self.length, &edges, 0);
        reached
            .iter()
            .all(Option::is_some)
            .then_some((corridors, edges))
    }

    /// Base, targets, entry and payoffs. The base is vertex 0 and the targets are the next ones.
    fn furnish(
        &self,
        (corridors, edges): (BTreeSet<usize>, Edges),
        rng: &mut Stream,
    ) -> Option<Warehouse> {
        let count = self.width * self.length;
        let mut rooms: Vec<usize> = (0..count).filter(|c| !corridors.contains(c)).collect();
        if rooms.len() < self.targets + 1 {
            return None;
        }
        let chosen: Vec<usize> = (0..=self.targets)
            .map(|_| rooms.swap_remove(rng.random_range(0..rooms.len() as u64) as usize))
            .collect();
        // The entrance is at the end of a corridor.
        let at_wall = |cell: &usize| {
            let (x, y) = (cell % self.width, cell / self.width);
            x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.length
        };
        let doors: Vec<usize> = corridors.iter().copied().filter(at_wall).collect();
        let entry = *doors.get(rng.random_range(0..doors.len().max(1) as u64) as usize)?;
        let others = (0..count).filter(|cell| !chosen.contains(cell));
        let order: Vec<usize> = chosen.iter().copied().chain(others).collect();
        let mut cells = vec![0; count];
        for (vertex, cell) in order.iter().enumerate() {
            cells[*cell] = vertex;
        }
        let targets: Vec<usize> = (1..=self.targets).collect();
        let is_target = |vertex: usize| targets.contains(&vertex);
        // A vertex with a target pays a little more (section 4.3.1).
        let by_vertex = |plain: f64, target: f64| -> Vec<f64> {
            let paid = (0..count).map(|v| if is_target(v) { target } else { plain });
            paid.collect()
        };
        let mut uniform = |most: u32| f64::from(rng.random_range(0..=most));
        let prizes = targets.iter().map(|_| uniform(self.most_prize)).collect();
        let losses = targets.iter().map(|_| -uniform(self.most_loss)).collect();
        let ordered = |(a, b): &(usize, usize)| {
            let (a, b) = (cells[*a], cells[*b]);
            (a.min(b), a.max(b))
        };
        let map = Map {
            vertices: count,
            edges: edges.iter().map(ordered).collect(),
            rounds: self.rounds,
            units: self.units,
            entry: cells[entry],
            rewards: by_vertex(self.reward, self.target_reward),
            penalties: by_vertex(self.penalty, self.target_penalty),
            losses,
            prizes,
            targets,
        };
        Some(Warehouse {
            map,
            corridors: corridors.iter().map(|cell| cells[*cell]).collect(),
            grid: Grid {
                width: self.width,
                cells: cells.into_iter().map(Some).collect(),
            },
        })
    }
}

/// Some of the first numbers, each as likely as every other.
fn some(of: usize, count: usize, rng: &mut Stream) -> BTreeSet<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    (0..count.min(of))
        .map(|_| all.swap_remove(rng.random_range(0..all.len() as u64) as usize))
        .collect()
}

/// The number of steps to each vertex.
fn distances(count: usize, edges: &[(usize, usize)], from: usize) -> Vec<Option<usize>> {
    let mut next = vec![Vec::new(); count];
    for &(a, b) in edges {
        next[a].push(b);
        next[b].push(a);
    }
    let mut found = vec![None; count];
    found[from] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((at, far)) = queue.pop_front() {
        for &near in &next[at] {
            if found[near].is_none() {
                found[near] = Some(far + 1);
                queue.push_back((near, far + 1));
            }
        }
    }
    found
}

impl Map {
    /// Whether there is an obvious answer (section 4.3.2): no target can be reached in time, or one can where nobody can be on
    /// the way.
    pub fn is_trivial(&self) -> bool {
        let edges: Edges = self.edges.iter().copied().collect();
        let near = distances(self.vertices, &edges, self.entry);
        let guarded = distances(self.vertices, &edges, 0);
        let in_time = |target: &usize| near[*target].is_some_and(|far| far <= self.rounds);
        if !self.targets.iter().any(in_time) {
            return true;
        }
        // Where the attacker may be after so many rounds without that anybody could have met it.
        let mut free = BTreeSet::from([self.entry]);
        for round in 1..=self.rounds {
            let mut next = BTreeSet::new();
            for &at in &free {
                let ways = edges.iter().filter_map(|&(a, b)| match at {
                    _ if a == at => Some(b),
                    _ if b == at => Some(a),
                    _ => None,
                });
                let unmet = |v: &usize| guarded[*v].is_none_or(|far| far > round);
                next.extend(ways.chain([at]).filter(unmet));
            }
            if next.iter().any(|v| self.targets.contains(v)) {
                return true;
            }
            free = next;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    const TABLE_3: Plan = Plan {
        width: 4,
        length: 4,
        crossings: 1,
        doors: 0.4,
        joined: 0.5,
        targets: 2,
        most_prize: 20,
        most_loss: 20,
        penalty: -1.0,
        target_penalty: -3.0,
        reward: 1.0,
        target_reward: 2.0,
        rounds: 6,
        units: 1,
        any: false,
    };

    #[test]
    fn warehouses_are_as_the_plan_has_them() {
        let mut rng = stream(1, &[]);
        for _ in 0..200 {
            let warehouse = TABLE_3.draw(&mut rng).unwrap();
            let map = &warehouse.map;
            assert_eq!((map.vertices, warehouse.corridors.len()), (16, 7));
            assert!(warehouse.corridors.contains(&map.entry));
            assert!(
                [0, 1, 2]
                    .iter()
                    .all(|room| !warehouse.corridors.contains(room))
            );
            let edges: Edges = map.edges.iter().copied().collect();
            assert!(distances(16, &edges, 0).iter().all(Option::is_some));
            assert!(map.prizes.iter().all(|x| (0.0..=20.0).contains(x)));
            assert!(map.losses.iter().all(|x| (-20.0..=0.0).contains(x)));
            assert!(!map.is_trivial());
        }
    }

    #[test]
    fn what_cannot_be_is_known_beforehand() {
        let missing = |plan: Plan| plan.draw(&mut stream(1, &[])).unwrap_err();
        let rooms = |rooms, needed| Missing::Rooms { rooms, needed };
        let crossed = Plan {
            crossings: 4,
            ..TABLE_3
        };
        assert_eq!(missing(crossed), rooms(0, 3));
        let coveted = Plan {
            targets: 9,
            ..TABLE_3
        };
        assert_eq!(missing(coveted), rooms(9, 10));
        let closed = Plan {
            doors: 0.0,
            ..TABLE_3
        };
        assert_eq!(missing(closed), Missing::Doors);
        // The first of five columns and of five rows have a corridor beside them, and not all of the others.
        let apart = Plan {
            width: 5,
            length: 5,
            joined: 0.0,
            ..TABLE_3
        };
        assert_eq!(missing(apart.clone()), Missing::Joined);
        // Of two columns with a room on each side of each, all have.
        let beside = Plan {
            crossings: 2,
            doors: 1.0,
            any: true,
            ..apart
        };
        assert!(beside.draw(&mut stream(1, &[])).is_ok());
    }

    /// A corridor of four rooms: 3 – 0 – 1 – 2.
    fn corridor(entry: usize, target: usize, rounds: usize) -> Map {
        Map {
            vertices: 4,
            edges: BTreeSet::from([(0, 3), (0, 1), (1, 2)]),
            rounds,
            units: 1,
            targets: vec![target],
            entry,
            rewards: vec![1.0; 4],
            penalties: vec![-1.0; 4],
            losses: vec![-5.0],
            prizes: vec![5.0],
        }
    }

    #[test]
    fn what_is_obvious_is_trivial() {
        // The way leads past the defender.
        assert!(!corridor(3, 2, 3).is_trivial());
        // Too far.
        assert!(corridor(3, 2, 2).is_trivial());
        // One step, and two for the defender.
        let mut near = corridor(1, 2, 3);
        assert!(near.is_trivial());
        // Not where the defender can be in the target as soon.
        near.edges.insert((0, 2));
        assert!(!near.is_trivial());
    }
}
