//! How long somebody waits for a player's choice. The clock and the keyboard, where there are any, belong to whoever waits.

/// Somebody who waits while a player thinks: hears how far the player is, and may tell it to end.
#[derive(Copy, Clone)]
pub struct Patience<'a>(&'a dyn Fn(u64) -> bool);

impl Patience<'static> {
    /// Waits however long it takes.
    pub const ENDLESS: Patience<'static> = Patience(&|_| true);
}

impl<'a> Patience<'a> {
    /// `waits` is asked again and again while a player thinks, with the number of playouts that it has begun for this choice:
    /// whether it may go on. Where it may not, the player answers as soon as it can, and the answer is not worth much.
    pub fn new(waits: &'a dyn Fn(u64) -> bool) -> Patience<'a> {
        Patience(waits)
    }

    /// Whether a player that has begun so many playouts may think on.
    pub fn waits(&self, playouts: u64) -> bool {
        (self.0)(playouts)
    }
}

impl std::fmt::Debug for Patience<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Patience")
    }
}
