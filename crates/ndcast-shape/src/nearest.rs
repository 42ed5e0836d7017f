//! Names near one that is not there, for "did you mean".

/// The names that somebody may have meant: those that hold what was written, or are a few letters away. The nearest first,
/// three at most.
///
/// ```
/// use ndcast_shape::nearest;
/// assert_eq!(nearest("maxmum", ["minimum", "maximum", "add"]), ["maximum"]);
/// ```
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    // Of a long text its beginning will do.
    let name: String = name.to_ascii_lowercase().chars().take(80).collect();
    let near = |own: &'n str| {
        let contained = name.len() >= 3 && own.contains(&name);
        let distance = if contained { 1 } else { edits(&name, &own.to_ascii_lowercase()) };
        // A third of the letters may be wrong; in a name of three letters or more, at least one.
        let most = (own.len() / 3).max(usize::from(name.len() >= 3));
        (distance <= most).then_some((distance, own))
    };
    let mut near: Vec<(usize, &str)> = names.into_iter().filter_map(near).collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters must be added, removed, changed or exchanged with the next to make one word the other.
fn edits(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before = vec![];
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let changed = row[j] + usize::from(a != b);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && from[i - 1] == *b && to[j - 1] == *a {
                let exchanged: &usize = &before[j - 1];
                least = least.min(exchanged + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_between_words() {
        for (from, to, letters) in [
            ("kitten", "sitting", 3),
            ("", "ab", 2),
            ("maen", "mean", 1),
            ("ab", "ba", 1),
            ("same", "same", 0),
        ] {
            assert_eq!(edits(from, to), letters);
        }
        assert_eq!(nearest("pii", ["pi", "e"]), ["pi"]);
        assert!(nearest("frobnicate", ["add", "sum"]).is_empty());
    }
}
