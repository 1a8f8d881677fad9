//! All of the crate, for the tests, benches and fuzz target of this repository. It changes without notice.

macro_rules! show {
    ($($folder:ident)*) => {
        $(pub mod $folder {
            pub use crate::$folder::*;
        })*
    };
}

show! { arena belief check compile ir machine model players random review search shipped solve syntax text }
