//! The rules of the check by name. Tests leave one out, and see that something leaks then.

use super::codes;
use crate::text::diagnostics::Code;

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident $(= $code:ident)?,)*) => {
        /// A rule of the check, or what the rules build on.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// All of them.
            pub const ALL: &[Rule] = &[$(Rule::$name),*];

            /// The code of what it refuses; none of what others build on.
            pub fn code(self) -> Option<Code> {
                match self {
                    $(Rule::$name => rules!(@code $($code)?),)*
                }
            }
        }
    };
    (@code) => { None };
    (@code $code:ident) => { Some(codes::$code) };
}

rules! {
    /// Whoever sees a variable could know what is stored.
    StoredValue = STORE,
    /// … where it is stored.
    StoredPlace = STORE,
    /// … whether it is stored.
    StoredAtAll = STORE,
    /// Whoever sees an event could know that it happens.
    EventHappens = EVENT,
    /// Whoever chooses could know the options.
    Options = OPTIONS,
    /// Whoever chooses could know the texts of the options.
    OptionTexts = OPTIONS,
    /// Everybody could know that the game ends.
    End = END,
    /// What is drawn from is known, or a pile.
    DrawnFrom = DRAW_OPTIONS,
    /// What a draw leaves out is known, or drawn.
    DrawFilter = DRAW_OPTIONS,
    /// The weights of a draw are known, or counts of what was drawn.
    DrawWeights = DRAW_OPTIONS,
    /// How many are dealt is known.
    DealCount = DRAW_OPTIONS,
    /// What more than chance has put something into is no pile.
    Piles = DRAW_OPTIONS,
    /// What was just made of a secret is no pile.
    MadeSets = DRAW_OPTIONS,
    /// A draw that tells of what is no pile says `revealing`.
    Revealing = DRAW_OPTIONS,
    /// Nothing on view changes after a move that somebody does not notice.
    Clock = CLOCK,
    /// Whoever chooses or sees a choice could know whose it is.
    Chooser = CHOOSER,
    /// Whoever sees an event could know who does.
    Viewers = VIEWERS,
    /// Whoever sees a shown value could know that it may change.
    ShownChanges = SHOWN,
    /// Knowledge is made of what its owner sees.
    Abstractions = ABSTRACTION,
    /// Who could not know a condition or a set could not know what comes of it: branches, loops, turns.
    Conditions,
    /// Who could not know that a loop is left could not know how it goes on.
    Breaks,
    /// Who does not see a label could not know what follows it.
    Alternatives,
    /// Where all may sit out of a `together`, nobody may have noticed it.
    SittingOut,
    /// What the arms of a `together` store comes after all have chosen.
    MovesAtOnce,
    /// Who neither sees a choice nor could know its options could not know whether there is one.
    Otherwise,
    /// Who could not know that play comes to a statement is not told what is shown there.
    ShownReadings,
    /// Who could not know that a round passed could not know which round it is.
    Rounds,
    /// Who may have missed a round could not know whether another one comes.
    MissedRounds,
    /// Who could not know what is tried in an `after` could not know what comes of it.
    Tried,
    /// Who could not know a value is not told it in the text of a move.
    MoveTexts,
}

/// The rules that are asked.
#[derive(Copy, Clone, Debug)]
pub struct Rules {
    without: Option<Rule>,
}

impl Rules {
    /// As games are checked.
    pub const ALL: Rules = Rules { without: None };

    /// All but one.
    pub fn without(rule: Rule) -> Rules {
        Rules {
            without: Some(rule),
        }
    }

    /// Whether a rule is asked.
    pub fn ask(self, rule: Rule) -> bool {
        self.without != Some(rule)
    }

    /// Whether anything that is asked is refused with this code.
    pub fn refuse(self, code: Code) -> bool {
        let mut with = Rule::ALL.iter().filter(|r| r.code() == Some(code));
        with.clone().count() == 0 || with.any(|r| self.ask(*r))
    }
}
