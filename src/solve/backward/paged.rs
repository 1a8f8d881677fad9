//! A vector in pages: it grows without being copied, so that its memory is what it holds.

const PAGE: usize = 1 << 16;

#[derive(Clone, Debug)]
pub(super) struct Paged<T> {
    pages: Vec<Vec<T>>,
    /// Values for each index.
    stride: usize,
    len: usize,
}

impl<T: Copy> Paged<T> {
    pub fn new(stride: usize) -> Paged<T> {
        Paged {
            pages: Vec::new(),
            stride,
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Adds one index with its values; there must be as many as the stride.
    pub fn push(&mut self, values: &[T]) {
        debug_assert_eq!(values.len(), self.stride);
        if self.len.is_multiple_of(PAGE) {
            // The first page of a small game need not be a whole one.
            let room = if self.len == 0 { 0 } else { PAGE * self.stride };
            self.pages.push(Vec::with_capacity(room));
        }
        if let Some(page) = self.pages.last_mut() {
            page.extend_from_slice(values);
        }
        self.len += 1;
    }

    pub fn get(&self, i: usize) -> &[T] {
        let at = i % PAGE * self.stride;
        &self.pages[i / PAGE][at..at + self.stride]
    }

    pub fn bytes(&self) -> u64 {
        let room: usize = self.pages.iter().map(Vec::capacity).sum();
        (room * size_of::<T>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_over_several_pages() {
        let mut list: Paged<u32> = Paged::new(2);
        let n = 2 * PAGE as u32 + 3;
        for i in 0..n {
            list.push(&[i, i ^ 1]);
        }
        assert_eq!(list.len(), n as usize);
        assert_eq!(list.get(5), [5, 4]);
        assert_eq!(list.get(PAGE), [PAGE as u32, PAGE as u32 ^ 1]);
        assert_eq!(list.get(n as usize - 1), [n - 1, (n - 1) ^ 1]);
        assert!(list.bytes() >= u64::from(n) * 8);
    }
}
