//! Once warm, a playout allocates nothing, and neither does a simulation in a tree that has stopped growing.

mod support;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::arena::{Match, MatchOptions, SeatingPlan, play_match};
use ruse::internal::machine::{Action, Actions, Engine, Machine, Stepper, Turn};
use ruse::internal::search::mcts::policies::SELECTIONS;
use ruse::internal::search::mcts::{Options, Search};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use support::{load, random_step, shipped};

/// The allocator of the system, which counts what this thread asks of it.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is about to end has no counter any more; nobody reads it then.
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
}

// SAFETY: everything is left to the allocator of the system; counting allocates nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Buffers grow to the longest list that play comes to, so the warm-up and the count play the same games.
const GAMES: u64 = 60;

#[test]
fn a_warm_playout_allocates_nothing() {
    let mut found = Vec::new();
    let engines = [Engine::Native, Engine::Portable];
    for (game, engine) in shipped()
        .into_iter()
        .flat_map(|g| engines.map(|e| (g.clone(), e)))
    {
        let machine = Arc::into_inner(load(&game, &[])).unwrap();
        let machine = machine.with_engine(engine);
        let start = machine.initial().unwrap();
        let mut playouts = machine.playouts();
        let mut asked = 0;
        for _ in 0..2 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            asked = ASKED.get();
            for _ in 0..GAMES {
                playouts.play(&start, &mut rng).unwrap();
            }
            asked = ASKED.get() - asked;
        }
        if asked > 0 {
            found.push(format!("{game} {engine:?}: {asked} in {GAMES} playouts"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// But for actions that are too long to stand in a list of actions.
#[test]
fn a_warm_stepper_allocates_nothing() {
    let mut found = Vec::new();
    for game in shipped() {
        for engine in [Engine::Native, Engine::Portable] {
            let machine = Arc::into_inner(load(&game, &[])).unwrap();
            let machine = machine.with_engine(engine);
            let mut counts = Stepping::new(&machine);
            for _ in 0..2 {
                counts.play(&machine, &mut Xoshiro256PlusPlus::seed_from_u64(7));
            }
            if counts.asked > 0 && !counts.long {
                found.push(format!("{game} {engine:?}: {}", counts.asked));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A stepper, and what it has allocated in the last round of games.
struct Stepping<'m> {
    stepper: Stepper<'m>,
    lists: Vec<Actions>,
    asked: u64,
    /// Whether an action was long.
    long: bool,
}

impl<'m> Stepping<'m> {
    fn new(machine: &'m Machine) -> Stepping<'m> {
        Stepping {
            stepper: machine.stepper(),
            lists: Vec::new(),
            asked: 0,
            long: false,
        }
    }

    fn play(&mut self, machine: &'m Machine, rng: &mut Xoshiro256PlusPlus) {
        self.asked = 0;
        let mut words = vec![0; machine.state_words()];
        self.lists
            .resize_with(machine.player_count(), Actions::default);
        for _ in 0..6 {
            let mut state = machine.initial().unwrap();
            for _ in 0..100 {
                let Some(actions) = random_step(machine, &state, rng) else {
                    break;
                };
                let taken: Vec<&Action> = actions.iter().collect();
                let before = ASKED.get();
                self.stepper.start(machine.node(&state), state.words());
                if let Turn::Decision(movers) = machine.turn(&state) {
                    for player in movers {
                        self.stepper.legal(player, &mut self.lists[player]).unwrap();
                    }
                }
                let node = self.stepper.step(&taken, &mut words).unwrap();
                self.asked += ASKED.get() - before;
                let lists = self.lists.iter().flat_map(|list| list.iter());
                self.long |= lists.into_iter().any(|action| action.0.spilled());
                state = machine.state_at(node, &words);
            }
        }
    }
}

/// A match between random players keeps nothing of its games, so it takes no more memory for ten million of them.
#[test]
fn a_warm_match_between_random_players_allocates_nothing() {
    const WARM: u64 = 4096;
    for (game, players) in [
        ("tic-tac-toe", "random"),
        ("goofspiel", "random,random"),
        ("leduc-poker", "random"),
        ("connect-four", "random,random"),
    ] {
        let machine = load(game, &[]);
        let seats = (0..machine.player_count()).map(|s| machine.player_name(s).to_string());
        let play = Match {
            plan: SeatingPlan::parse(players, &seats.collect::<Vec<_>>()).unwrap(),
            machine: machine.clone(),
            clock: Arc::new(|| Duration::ZERO),
        };
        let options = MatchOptions {
            games: 3 * WARM,
            seed: 7,
            threads: Some(1),
        };
        // On the thread that plays.
        let asked = [AtomicU64::new(0), AtomicU64::new(0)];
        let progress = |finished: u64| match finished {
            WARM => asked[0].store(ASKED.get(), Ordering::Relaxed),
            n if n == options.games => asked[1].store(ASKED.get(), Ordering::Relaxed),
            _ => {}
        };
        let never = AtomicBool::new(false);
        let result = play_match(&play, &options, &progress, &never).unwrap();
        assert_eq!(result.finished, options.games);
        let [before, after] = asked.map(AtomicU64::into_inner);
        assert!(before > 0, "{game}");
        assert_eq!(after, before, "{game}");
    }
}

#[test]
fn a_simulation_in_a_whole_tree_allocates_nothing() {
    let machine = load("rock-paper-scissors", &[]);
    let root = machine.initial().unwrap();
    for select in SELECTIONS {
        let options = Options::new(select);
        let mut search = Search::new(&machine, &root, &options).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        search.iterate(2_000, &mut rng).unwrap();
        let before = ASKED.get();
        search.iterate(2_000, &mut rng).unwrap();
        assert_eq!(ASKED.get() - before, 0, "{select:?}");
    }
}

/// The counter counts, and for each thread by itself.
#[test]
fn allocations_are_counted() {
    let before = ASKED.get();
    let list = std::hint::black_box(vec![1u64; 100]);
    assert_eq!(ASKED.get(), before + 1);
    drop(list);
    assert_eq!(ASKED.get(), before + 1);
}
