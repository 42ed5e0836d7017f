//! Folds in pairs, so that rounding errors grow with the logarithm of the length.

use crate::kernel::Kernel;

/// Folds what is pushed in pairs, and these in pairs, and so on, with one value for each level.
pub(super) struct Cascade {
    /// The value of each level, or an old one if the level's bit of `count` is 0.
    levels: Vec<Vec<u64>>,
    /// How many were pushed.
    count: usize,
    two: Kernel,
    /// What goes up, and room for what becomes of it.
    carried: Vec<u64>,
    room: Vec<u64>,
}

impl Cascade {
    pub(super) fn new(two: Kernel) -> Cascade {
        Cascade { levels: vec![], count: 0, two, carried: vec![], room: vec![] }
    }

    pub(super) fn push(&mut self, value: &[u8]) {
        let words = value.len().div_ceil(8);
        self.carried.resize(words, 0);
        self.room.resize(words, 0);
        bytes_mut(&mut self.carried, value.len()).copy_from_slice(value);
        let mut level = 0;
        while self.count >> level & 1 == 1 {
            let both = [bytes(&self.levels[level], value.len()), bytes(&self.carried, value.len())];
            self.two.run(&both, bytes_mut(&mut self.room, value.len()));
            std::mem::swap(&mut self.carried, &mut self.room);
            level += 1;
        }
        if level == self.levels.len() {
            self.levels.push(vec![]);
        }
        std::mem::swap(&mut self.levels[level], &mut self.carried);
        self.count += 1;
    }

    /// Puts all that was pushed together, and begins anew.
    pub(super) fn finish(&mut self, to: &mut [u8]) {
        let len = to.len();
        self.room.resize(len.div_ceil(8), 0);
        let mut is_first = true;
        for level in (0..self.levels.len()).filter(|level| self.count >> level & 1 == 1) {
            if is_first {
                std::mem::swap(&mut self.carried, &mut self.levels[level]);
                is_first = false;
                continue;
            }
            let both = [bytes(&self.levels[level], len), bytes(&self.carried, len)];
            self.two.run(&both, bytes_mut(&mut self.room, len));
            std::mem::swap(&mut self.carried, &mut self.room);
        }
        if !is_first {
            to.copy_from_slice(bytes(&self.carried, len));
        }
        self.count = 0;
    }
}

fn bytes(words: &[u64], len: usize) -> &[u8] {
    &bytemuck::cast_slice(words)[..len]
}

fn bytes_mut(words: &mut [u64], len: usize) -> &mut [u8] {
    &mut bytemuck::cast_slice_mut(words)[..len]
}
