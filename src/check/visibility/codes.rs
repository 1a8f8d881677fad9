//! The codes of the visibility check, one for each way in which a game can tell somebody too much.

use crate::text::diagnostics::Code;

/// Somebody sees a variable and could not know what is stored in it, where, or whether.
pub const STORE: Code = Code("E0401");
/// A choice, a draw, a deal or a reveal happens only if something holds that its viewers could not know.
pub const EVENT: Code = Code("E0402");
/// The options of a choice depend on something that the chooser could not know.
pub const OPTIONS: Code = Code("E0403");
/// `end` comes only if something holds that not everybody could know.
pub const END: Code = Code("E0404");
/// The options of a draw would tell a viewer something that is neither a stored set nor a type.
pub const DRAW_OPTIONS: Code = Code("E0405");
/// Something on view changes after a move that somebody does not see.
pub const CLOCK: Code = Code("E0406");
/// `reveal` in a place that is not a step of play.
pub const REVEAL_PLACE: Code = Code("E0407");
/// Somebody who chooses, or sees the choice, could not know whose choice it is.
pub const CHOOSER: Code = Code("E0408");
/// Who sees an event depends on something that its viewers could not know.
pub const VIEWERS: Code = Code("E0409");
/// A shown value changes only if something holds that its viewers could not know.
pub const SHOWN: Code = Code("E0410");
/// The game has too many steps for this check.
pub const TOO_LARGE: Code = Code("E0411");
/// An abstraction or a filter that is made of what its owner does not see.
pub const ABSTRACTION: Code = Code("E0412");
/// A choice with one option, which not all who see it could know.
pub const ONE_OPTION: Code = Code("E0413");
/// A declaration that several leaks come from.
pub const DECLARATION: Code = Code("E0414");
/// A `reveal` by which nobody learns anything.
pub const NO_NEWS: Code = Code("E0415");
/// A variable that not everybody sees, though everybody knows what goes into it.
pub const HIDES_NOTHING: Code = Code("E0416");
/// What everybody sees chosen or drawn goes to a variable that not everybody sees.
pub const OPEN_COPY: Code = Code("E0417");
/// A variable that everybody sees, beside hidden ones of the same kind.
pub const OPEN_AMONG_HIDDEN: Code = Code("E0418");
/// The text of a move or a draw leaves out what somebody sees of it.
pub const TEXT_HIDES: Code = Code("E0419");
/// A word about who sees a value that stands by one of several.
pub const HIDES_ONE: Code = Code("E0420");
