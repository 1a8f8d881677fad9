//! The frames that playouts, steps and lists run in. They are long, and a search needs several of them for less than a
//! millisecond: a machine keeps those that nobody runs in any more.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A slot of a frame.
pub(super) type At = u16;

/// The longest frame that slots of 16 bits reach.
pub(super) const FRAME: usize = 1 << 16;

/// The slots of a run.
pub(super) type Frame = [u64; FRAME];

/// Frames that are free. Each holds what was left in it.
#[derive(Debug, Default)]
pub(in crate::machine) struct Frames(Mutex<Vec<Box<Frame>>>);

/// So many are kept; as a frame takes half a megabyte, no more than 64 threads need.
const MOST: usize = 256;

/// In tests so many slots hold a value that nobody has written, so that nobody counts on others.
const UNWRITTEN: usize = if cfg!(debug_assertions) { 1024 } else { 0 };

impl Frames {
    /// A frame that holds anything.
    pub(in crate::machine) fn borrow(&self) -> Borrowed<'_> {
        // The list is whole even if another thread panicked while it held the lock.
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut frame = free.unwrap_or_else(empty_frame);
        frame[..UNWRITTEN].fill(0xA5A5_5A5A_A5A5_5A5A);
        Borrowed {
            frames: self,
            one: Some(frame),
        }
    }
}

/// A frame that goes back when it is dropped.
pub(in crate::machine) struct Borrowed<'m> {
    frames: &'m Frames,
    /// There until then.
    one: Option<Box<Frame>>,
}

impl Deref for Borrowed<'_> {
    type Target = Frame;
    #[inline]
    fn deref(&self) -> &Frame {
        self.one.as_deref().unwrap_or_else(|| nobodys())
    }
}

impl DerefMut for Borrowed<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Frame {
        self.one.get_or_insert_with(empty_frame)
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let mut free = self.frames.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < MOST {
            free.extend(self.one.take());
        }
    }
}

/// What would be read after a frame went back.
#[cold]
fn nobodys() -> &'static Frame {
    static ZEROS: OnceLock<Box<Frame>> = OnceLock::new();
    ZEROS.get_or_init(empty_frame)
}

/// A frame of zeros.
pub(super) fn empty_frame() -> Box<Frame> {
    let frame: Box<[u64]> = vec![0; FRAME].into_boxed_slice();
    // The length is that of the array.
    frame.try_into().unwrap_or_else(|_| Box::new([0; FRAME]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_kept_for_the_next() {
        let frames = Frames::default();
        let mut first = frames.borrow();
        first[FRAME - 1] = 7;
        let second = frames.borrow();
        drop(first);
        // The one that came back, as it was.
        assert_eq!(frames.borrow()[FRAME - 1], 7);
        drop(second);
        assert_eq!(frames.0.lock().unwrap().len(), 2);
        let all: Vec<Borrowed<'_>> = (0..5).map(|_| frames.borrow()).collect();
        drop(all);
        assert_eq!(frames.0.lock().unwrap().len(), 5);
    }
}
