//! Names of which each is there once.

use std::collections::{HashMap, HashSet};

/// Names that are taken. Where one is wanted again, it gets a number.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// For each name that was wanted again, the last number that was tried, so that many of one name take no longer each.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// Takes a name, and says whether it was free.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// Takes this name; if it is not free, the same with the first number that makes it so.
    pub(super) fn free(&mut self, name: &str) -> String {
        if self.take(name) {
            return name.to_owned();
        }
        let number = self.numbers.entry(name.to_owned()).or_default();
        loop {
            *number += 1;
            let numbered = format!("{name}_{number}");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

impl<'n> FromIterator<&'n str> for Names {
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Names {
        Names { taken: names.into_iter().map(str::to_owned).collect(), numbers: HashMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_the_next_free_number() {
        let mut names: Names = ["x", "x_2"].into_iter().collect();
        assert!(!names.take("x") && names.take("y"));
        let free: Vec<String> = ["x", "x", "x_2", "y", "z", "x"].map(|name| names.free(name)).to_vec();
        assert_eq!(free, ["x_1", "x_3", "x_2_1", "y_1", "z", "x_4"]);
    }

    /// From 1 on each time, these would be hundreds of millions of tries.
    #[test]
    fn many_of_one_name_are_numbered_one_after_the_other() {
        let mut names = Names::default();
        let last = (0..30_000).map(|_| names.free("round")).last();
        assert_eq!(last.as_deref(), Some("round_29999"));
    }
}
