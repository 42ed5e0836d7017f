//! What is computed into memory, and in which order.

use std::sync::LazyLock;

use smallvec::SmallVec;

use super::collect::Collected;
use super::{band, stage};
use crate::array::{Array, Form};
use crate::error::Error;
use crate::tensor::Tensor;

/// One array of an expression.
pub(super) struct Item {
    pub(super) array: Array,
    /// How it is made; none if it is ready.
    pub(super) form: Option<Form>,
    /// Its arguments' places in the list.
    pub(super) arguments: SmallVec<[usize; 3]>,
    /// Other arrays with the same value (common sub-expressions).
    pub(super) duplicates: SmallVec<[Array; 1]>,
    /// Whether it is computed into memory.
    pub(super) stored: bool,
    /// Whether it is asked for itself, or kept for whoever asks next.
    wanted: bool,
    /// Its last use: the last stored item that reads it.
    last: usize,
}

impl Item {
    pub(super) fn new(array: Array, form: Option<Form>, arguments: SmallVec<[usize; 3]>) -> Item {
        Item { array, form, arguments, duplicates: SmallVec::new(), stored: false, wanted: false, last: 0 }
    }
}

/// The arrays of an expression, each after its arguments, and which are computed into memory.
pub(super) struct Schedule {
    pub(super) items: Vec<Item>,
    next: usize,
    /// The items by last use, the earliest at the end.
    held: Vec<usize>,
    /// Replaces the array of an item after its last use.
    gone: Array,
}

/// What is known of those that need an item, before it is decided whether it is computed into memory.
#[derive(Clone, Copy, Default)]
struct Need {
    /// One of the stages that read it.
    stage: Option<usize>,
    /// The loop count of the largest stage that reads it.
    largest: usize,
    /// Whether it is asked for itself, or needed as a whole.
    whole: bool,
    /// Whether several stages need it.
    several: bool,
    /// Whether a reader of it was never computed before.
    new: bool,
    /// How many items are fused into it, if it is a stage.
    fused: usize,
}

/// So many items are one stage at most: the tiles of more do not stay in the nearest cache.
const MOST_FUSED: usize = 128;

impl Schedule {
    /// For these arrays, and where each of them is.
    pub(super) fn new(roots: &[&Array]) -> (Schedule, Vec<usize>) {
        let mut collected = Collected::new();
        let roots: Vec<usize> = roots.iter().map(|root| collected.place(root)).collect();
        let mut schedule = Schedule { items: collected.items, next: 0, held: vec![], gone: gone() };
        schedule.decide(&roots);
        schedule.held = (0..schedule.items.len()).collect();
        schedule.held.sort_by_key(|&place| std::cmp::Reverse(schedule.items[place].last));
        (schedule, roots)
    }

    /// The same schedule for other arrays of these shapes and types.
    pub(super) fn with_arrays(&self, array: impl Fn(&Item) -> Array) -> Schedule {
        let renewed = |item: &Item| Item {
            array: array(item),
            form: item.form.clone(),
            arguments: item.arguments.clone(),
            duplicates: SmallVec::new(),
            ..*item
        };
        let items = self.items.iter().map(renewed).collect();
        Schedule { items, next: 0, held: self.held.clone(), gone: self.gone.clone() }
    }

    /// Computes all that is to be computed into memory.
    pub(super) fn run(&mut self) -> Result<(), Error> {
        // Of what could not be computed before, nothing can be made.
        if let Some(Err(error)) =
            self.items.iter().filter_map(|item| item.array.node().value()).find(|value| value.is_err())
        {
            return Err(error.clone());
        }
        while let Some(stage) = self.next() {
            let done = band::run(self, stage).and_then(|stages| match stages.checked_sub(1) {
                None => stage::run(self, stage),
                Some(more) => {
                    self.skip(more);
                    Ok(())
                }
            });
            done.map_err(|error| {
                let node = self.items[stage].array.node();
                error.computing(node.shape(), node.dtype())
            })?;
            self.let_go();
        }
        Ok(())
    }

    /// Lets go of what nothing needs that is not yet computed: its memory is free unless somebody else has it.
    fn let_go(&mut self) {
        while let Some(&place) = self.held.last()
            && self.items[place].last < self.next
        {
            self.held.pop();
            let item = &mut self.items[place];
            item.array = self.gone.clone();
            item.duplicates.clear();
        }
    }

    /// Whether an item may overwrite its first argument: nothing later reads it, and neither do the item's other arguments,
    /// with all that is fused into them.
    pub(super) fn may_change(&self, place: usize) -> bool {
        let [base, others @ ..] = &self.items[place].arguments[..] else { return false };
        let mut open: SmallVec<[usize; 8]> = others.into();
        while let Some(other) = open.pop() {
            if other == *base {
                return false;
            }
            if !self.is_stored(other) {
                open.extend_from_slice(&self.items[other].arguments);
            }
        }
        self.items[*base].last == place
    }

    /// The next item to be computed into memory.
    fn next(&mut self) -> Option<usize> {
        let found = (self.next..self.items.len()).find(|&place| self.items[place].stored)?;
        self.next = found + 1;
        Some(found)
    }

    /// Leaves out so many items that were to be computed next.
    fn skip(&mut self, stages: usize) {
        for _ in 0..stages {
            self.next();
        }
    }

    /// The first item behind this one that is computed into memory.
    pub(super) fn stored_after(&self, place: usize) -> Option<usize> {
        (place + 1..self.items.len()).find(|&place| self.items[place].stored)
    }

    /// Whether an item is asked for itself, or kept for whoever asks next.
    pub(super) fn is_wanted(&self, place: usize) -> bool {
        self.items[place].wanted
    }

    /// The items computed into memory that need this one.
    pub(super) fn readers(&self, place: usize) -> SmallVec<[usize; 4]> {
        let mut needs = vec![false; self.items.len()];
        needs[place] = true;
        let mut readers = SmallVec::new();
        for later in place + 1..self.items.len() {
            let item = &self.items[later];
            if item.arguments.iter().any(|&argument| needs[argument]) {
                if item.stored {
                    readers.push(later);
                } else {
                    needs[later] = true;
                }
            }
        }
        readers
    }

    /// Gives an item and all that are equal to it a value.
    pub(super) fn fill(&mut self, place: usize, value: &Result<Tensor, Error>) {
        let item = &self.items[place];
        for array in std::iter::once(&item.array).chain(&item.duplicates) {
            array.node().fill(value.clone());
        }
    }

    /// Whether an item's value is in memory, or will be when it is needed.
    pub(super) fn is_stored(&self, place: usize) -> bool {
        self.items[place].stored || self.items[place].form.is_none()
    }

    /// Decides which items are computed into memory, in reverse topological order: all readers of an item are visited
    /// before it.
    fn decide(&mut self, roots: &[usize]) {
        let count = self.items.len();
        let again = self.computed_again();
        let mut needs: SmallVec<[Need; 8]> = smallvec::smallvec![Need::default(); count];
        for &root in roots {
            needs[root].whole = true;
            self.items[root].wanted = true;
        }
        for place in (0..count).rev() {
            let item = &self.items[place];
            let Some(form) = &item.form else { continue };
            let Need { stage, largest, whole, several, new, .. } = needs[place];
            // A thing that is only read differently costs nothing to compute again.
            let repeated = !matches!(form, Form::Read(_)) && is_repeated(&item.array, largest);
            let own = matches!(form, Form::View(_) | Form::Reduce(..) | Form::Update(..) | Form::Call(_));
            let full = stage.is_some_and(|stage| needs[stage].fused >= MOST_FUSED);
            let passed = again.get(place).copied().unwrap_or(false);
            let kept = passed && new && !self.is_cheap(place);
            let stored = whole || own || repeated || full || kept || (several && !self.is_cheap(place));
            self.items[place].stored = stored;
            self.items[place].wanted |= kept;
            if !stored {
                self.items[place].array.node().pass();
            }
            let item = &self.items[place];
            let at = if stored { place } else { stage.unwrap_or(place) };
            needs[at].fused += 1;
            let size = if stored { self.loop_elements(place) } else { largest };
            for (number, &argument) in item.arguments.iter().enumerate() {
                // What a stage needs as a whole.
                let whole = match item.form {
                    Some(Form::View(_) | Form::Call(_)) => true,
                    // What is wanted as it is read otherwise is a view of what is stored.
                    Some(Form::Read(_)) => stored,
                    Some(Form::Update(..)) => number == 0,
                    _ => false,
                };
                let need = &mut needs[argument];
                need.whole |= whole;
                need.several |= several && !stored || need.stage.is_some_and(|other| other != at);
                need.new |= !passed;
                need.stage = Some(at);
                need.largest = need.largest.max(size);
            }
            // Whoever needs it as a part of something needs its arguments then.
            let until = if stored { place } else { item.last };
            self.items[place].last = self.items[place].last.max(until);
            for argument in self.items[place].arguments.clone() {
                let last = &mut self.items[argument].last;
                *last = until.max(*last);
            }
        }
    }

    /// Which items were fused into an earlier computation and may be stored now, because they take at most about twice the
    /// memory of their largest input; empty if none was.
    fn computed_again(&self) -> Vec<bool> {
        if !self.items.iter().any(|item| item.form.is_some() && item.array.node().was_fused()) {
            return vec![];
        }
        // For each item the bytes in memory that the largest of its parts has there.
        let mut grounds: Vec<usize> = Vec::with_capacity(self.items.len());
        let mut again = Vec::with_capacity(self.items.len());
        for item in &self.items {
            let node = item.array.node();
            let bytes = elements(node.shape()).saturating_mul(node.dtype().size().unwrap_or(1));
            let below = item.arguments.iter().map(|&argument| grounds[argument]).max();
            let in_memory =
                node.value().and_then(|value| value.as_ref().ok()).map_or(0, |t| t.memory().len());
            let ground = if item.form.is_none() { bytes.min(in_memory) } else { below.unwrap_or(0) };
            again.push(node.was_fused() && bytes / 2 <= ground);
            grounds.push(ground);
        }
        again
    }

    /// How many elements a stage goes over.
    fn loop_elements(&self, place: usize) -> usize {
        let item = &self.items[place];
        match &item.form {
            Some(Form::Reduce(..)) => elements(self.items[item.arguments[0]].array.node().shape()),
            Some(Form::Update(layout, ..)) => layout.elements(),
            _ => elements(item.array.node().shape()),
        }
    }

    /// Whether to compute an item again costs less than to put it into memory and to read it again: a few cheap
    /// operations on what is in memory.
    fn is_cheap(&self, place: usize) -> bool {
        let size = elements(self.items[place].array.node().shape());
        let mut left = 3usize;
        let mut open: SmallVec<[usize; 8]> = smallvec::smallvec![place];
        while let Some(place) = open.pop() {
            let item = &self.items[place];
            let cost = match &item.form {
                None | Some(Form::Read(_)) => 0,
                // What is stored in any case.
                Some(Form::View(_) | Form::Reduce(..) | Form::Update(..) | Form::Call(_)) => continue,
                Some(_) if is_repeated(&item.array, size) => continue,
                Some(Form::Convert(_)) => 1,
                Some(Form::Apply(op, _)) if op.is_cheap() => 1,
                Some(Form::Apply(..)) => return false,
            };
            let Some(rest) = left.checked_sub(cost) else { return false };
            left = rest;
            open.extend_from_slice(&item.arguments);
        }
        true
    }
}

/// Whether fusing an array into a stage of so many elements would compute each of its own at least twice.
pub(super) fn is_repeated(array: &Array, elements: usize) -> bool {
    self::elements(array.node().shape()) <= elements / 2
}

/// What replaces arrays after their last use.
pub(super) fn gone() -> Array {
    static GONE: LazyLock<Array> =
        LazyLock::new(|| Array::from(Err(Error::value("the array is not there any more".to_owned()))));
    GONE.clone()
}

fn elements(shape: &[usize]) -> usize {
    shape.iter().product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Keep;

    /// Rows of so many elements are too many to be computed at once.
    const COLUMNS: usize = 8192;

    /// The shapes of what is computed into memory for an array.
    fn stored(root: &Array) -> Vec<Vec<usize>> {
        let (schedule, _) = Schedule::new(&[root]);
        let stored = schedule.items.iter().filter(|item| item.stored);
        stored.map(|item| item.array.node().shape().to_vec()).collect()
    }

    #[test]
    fn what_two_stages_need_is_computed_twice_if_that_is_cheap() {
        let x = Array::new(&[4, COLUMNS], &vec![1.5f32; 4 * COLUMNS]);
        let mean = x.mean([1], Keep::Axes);
        // The distance is needed twice; the mean is a quotient, but not one for each element.
        let distance = &x - &mean;
        let scaled = &distance / &distance.square().sum([1], Keep::Axes).sqrt();
        // The sums, the mean, the sums of squares, their roots, and the result.
        assert_eq!(stored(&scaled), [vec![4, 1], vec![4, 1], vec![4, 1], vec![4, 1], vec![4, COLUMNS]]);
        // An exponential is not computed twice.
        let power = x.exp();
        let softmax = &power / &power.sum([1], Keep::Axes);
        assert_eq!(stored(&softmax), [vec![4, COLUMNS], vec![4, 1], vec![4, COLUMNS]]);
    }

    #[test]
    fn what_is_computed_again_stays() -> Result<(), Error> {
        let x = Array::new(&[4, COLUMNS], &vec![1.5f32; 4 * COLUMNS]);
        let look = |array: &Array| {
            let axes: Vec<usize> = (0..array.node().shape().len()).collect();
            array.sum(&axes, Keep::Nothing).eval()
        };
        let (power, sum) = (x.exp(), &x + 1.0);
        let wide = &x.reshape(&[1, 4, COLUMNS]) * &x.exp().reshape(&[4, 1, COLUMNS]);
        for (times, is_there) in [(1, false), (2, true)] {
            for array in [&(&power * 2.0), &(&sum - 3.0), &(&wide + 1.0)] {
                look(array)?;
            }
            // A sum costs less than to put it into memory, and there was not so much memory before.
            assert_eq!(
                (power.is_ready(), sum.is_ready(), wide.is_ready()),
                (is_there, false, false),
                "{times}"
            );
        }
        // Step after step, each of which somebody looks at: none is computed more than twice.
        let mut step = x.clone();
        for _ in 0..20 {
            let next = (&step * 0.5).sin();
            look(&(&next + 1.0))?;
            assert!(step.is_ready());
            step = next;
        }
        Ok(())
    }
}
