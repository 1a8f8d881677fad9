//! How the terminal reads keys, to be put back as it was.

#[cfg(unix)]
mod system {
    use rustix::stdio::stdin;
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    pub type Modes = Termios;

    /// As it is now; `None` where standard input is no terminal.
    pub fn now() -> Option<Modes> {
        tcgetattr(stdin()).ok()
    }

    /// As it was.
    pub fn restore(modes: Option<&Modes>) {
        if let Some(modes) = modes {
            let _ = tcsetattr(stdin(), OptionalActions::Now, modes);
        }
    }
}

#[cfg(not(unix))]
mod system {
    pub type Modes = ();

    pub fn now() -> Option<Modes> {
        None
    }

    pub fn restore(_: Option<&Modes>) {}
}

pub use system::{Modes, now, restore};
