//! What is computed into memory, and in which order.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::array::{Array, Form};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::tensor::Tensor;

/// One array of an expression.
pub(super) struct Item {
    pub(super) array: Array,
    /// How it is made; none if it is ready.
    pub(super) form: Option<Form>,
    /// Its arguments' places in the list.
    pub(super) arguments: SmallVec<[usize; 3]>,
    /// Other arrays that are equal to it.
    pub(super) also: SmallVec<[Array; 1]>,
    /// Whether it is computed into memory.
    stored: bool,
    /// Whether it is asked for itself.
    wanted: bool,
}

/// The arrays of an expression, each after its arguments, and which are computed into memory.
pub(super) struct Schedule {
    pub(super) items: Vec<Item>,
    next: usize,
}

/// So many items are one stage at most: the tiles of more do not stay in the nearest cache.
const MOST_FUSED: usize = 128;

impl Schedule {
    pub(super) fn new(roots: &[&Array]) -> Schedule {
        let mut collected = Collected::default();
        let roots: Vec<usize> = roots.iter().map(|root| collected.place(root)).collect();
        let mut schedule = Schedule { items: collected.items, next: 0 };
        schedule.decide(&roots);
        schedule
    }

    /// The next item to be computed into memory.
    pub(super) fn next(&mut self) -> Option<usize> {
        let found = (self.next..self.items.len()).find(|&place| self.items[place].stored)?;
        self.next = found + 1;
        Some(found)
    }

    /// Leaves out so many items that were to be computed next.
    pub(super) fn skip(&mut self, stages: usize) {
        for _ in 0..stages {
            self.next();
        }
    }

    /// The first item behind this one that is computed into memory.
    pub(super) fn stored_after(&self, place: usize) -> Option<usize> {
        (place + 1..self.items.len()).find(|&place| self.items[place].stored)
    }

    /// Whether an item is asked for itself.
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

    /// Gives an item and all that are equal to it a value. What holds its arguments is dropped with its expression, so
    /// what only it needed is free then.
    pub(super) fn fill(&mut self, place: usize, value: &Result<Tensor, Error>) {
        let item = &self.items[place];
        for array in std::iter::once(&item.array).chain(&item.also) {
            array.node().fill(value.clone());
        }
    }

    /// Whether an item's value is in memory, or will be when it is needed.
    pub(super) fn is_stored(&self, place: usize) -> bool {
        self.items[place].stored || self.items[place].form.is_none()
    }

    /// Decides which items are computed into memory: from the roots down, so that of each item all that need it are
    /// known.
    fn decide(&mut self, roots: &[usize]) {
        let count = self.items.len();
        // A stage that an item is fused into, as far as one is known, and the elements of the largest; and whether
        // several need it.
        let mut stage: Vec<Option<usize>> = vec![None; count];
        let mut largest = vec![0; count];
        let mut wanted = vec![false; count];
        let mut several = vec![false; count];
        // How many items are fused into each stage.
        let mut fused = vec![0usize; count];
        for &root in roots {
            wanted[root] = true;
            self.items[root].wanted = true;
        }
        for place in (0..count).rev() {
            let item = &self.items[place];
            let Some(form) = &item.form else { continue };
            // A thing that is only read differently costs nothing to compute again.
            let repeated =
                !matches!(form, Form::Read(_)) && elements(item.array.node().shape()) <= largest[place] / 2;
            let own = matches!(form, Form::View(_) | Form::Reduce(..) | Form::Update(..) | Form::Call(_));
            let full = stage[place].is_some_and(|stage| fused[stage] >= MOST_FUSED);
            let stored =
                wanted[place] || own || repeated || full || (several[place] && !self.is_cheap(place));
            self.items[place].stored = stored;
            let item = &self.items[place];
            let at = if stored { place } else { stage[place].unwrap_or(place) };
            fused[at] += 1;
            let size = if stored { self.loop_elements(place) } else { largest[place] };
            for (number, &argument) in item.arguments.iter().enumerate() {
                // What a stage needs as a whole.
                let whole = match item.form {
                    Some(Form::View(_) | Form::Call(_)) => true,
                    // What is wanted as it is read otherwise is a view of what is stored.
                    Some(Form::Read(_)) => stored,
                    Some(Form::Update(..)) => number == 0,
                    _ => false,
                };
                wanted[argument] |= whole;
                several[argument] |=
                    several[place] && !stored || stage[argument].is_some_and(|other| other != at);
                stage[argument] = Some(at);
                largest[argument] = largest[argument].max(size);
            }
        }
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
        let mut left = 3usize;
        let mut open: SmallVec<[usize; 8]> = smallvec::smallvec![place];
        while let Some(place) = open.pop() {
            let item = &self.items[place];
            let cost = match &item.form {
                None | Some(Form::Read(_)) => 0,
                Some(Form::Convert(_)) => 1,
                Some(Form::Apply(op, _)) if op.is_cheap() => 1,
                // What is stored in any case.
                Some(Form::View(_) | Form::Reduce(..) | Form::Update(..) | Form::Call(_)) => continue,
                Some(Form::Apply(..)) => return false,
            };
            let Some(rest) = left.checked_sub(cost) else { return false };
            left = rest;
            open.extend_from_slice(&item.arguments);
        }
        true
    }
}

fn elements(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The places of arguments.
type Places = SmallVec<[usize; 3]>;

/// Arrays as they are found, equal ones once.
#[derive(Default)]
struct Collected {
    items: Vec<Item>,
    by_address: HashMap<usize, usize>,
    /// Items that may be equal: of one operation, of the same arguments.
    alike: HashMap<(Kind, Places), SmallVec<[usize; 1]>>,
}

/// What equal items have in common, but for their arguments.
#[derive(PartialEq, Eq, Hash)]
enum Kind {
    Apply(Op),
    Other(DType),
    Memory(usize, DType),
    Number(Vec<u8>, DType),
}

impl Collected {
    /// The place of an array, with all it is made of in places before it.
    fn place(&mut self, root: &Array) -> usize {
        // Arrays to be placed; with the expression once its arguments have places.
        enum Task {
            Open(Array),
            Close(Array, Box<Form>, Places),
        }
        let mut tasks = vec![Task::Open(root.clone())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(array) => {
                    if self.by_address.contains_key(&array.node().address()) {
                        continue;
                    }
                    let expression = match array.node().value() {
                        Some(_) => None,
                        None => array.node().expression().clone(),
                    };
                    // Without an expression it was computed meanwhile.
                    let Some(expression) = expression else {
                        self.leaf(array);
                        continue;
                    };
                    let addresses = expression.arguments.iter().map(|a| a.node().address()).collect();
                    tasks.push(Task::Close(array, Box::new(expression.form), addresses));
                    tasks.extend(expression.arguments.into_iter().map(Task::Open));
                }
                Task::Close(array, form, addresses) => {
                    let arguments: SmallVec<[usize; 3]> = addresses
                        .iter()
                        .filter_map(|address| self.by_address.get(address).copied())
                        .collect();
                    let kind = match &*form {
                        Form::Apply(op, _) => Kind::Apply(*op),
                        _ => Kind::Other(array.node().dtype()),
                    };
                    self.add(array, Some(*form), kind, arguments);
                }
            }
        }
        self.by_address.get(&root.node().address()).copied().unwrap_or_default()
    }

    fn leaf(&mut self, array: Array) {
        let kind = match array.node().value() {
            Some(Ok(tensor)) if tensor.rank() == 0 => {
                let first = tensor.layout().offset() * tensor.size();
                Kind::Number(tensor.memory()[first..first + tensor.size()].to_vec(), tensor.dtype())
            }
            Some(Ok(tensor)) => Kind::Memory(tensor.address(), tensor.dtype()),
            _ => Kind::Memory(0, DType::Bool),
        };
        self.add(array, None, kind, SmallVec::new());
    }

    fn add(&mut self, array: Array, form: Option<Form>, kind: Kind, arguments: SmallVec<[usize; 3]>) {
        let address = array.node().address();
        let alike = self.alike.entry((kind, arguments.clone())).or_default();
        let items = &self.items;
        let equal = alike.iter().copied().find(|&place| {
            let other = &items[place];
            other.form == form
                && other.array.node().shape() == array.node().shape()
                && match form {
                    Some(_) => true,
                    None => layout(&other.array) == layout(&array),
                }
        });
        let place = equal.unwrap_or_else(|| {
            alike.push(self.items.len());
            let also = SmallVec::new();
            self.items.push(Item {
                array: array.clone(),
                form,
                arguments,
                also,
                stored: false,
                wanted: false,
            });
            self.items.len() - 1
        });
        if equal.is_some() {
            self.items[place].also.push(array);
        }
        self.by_address.insert(address, place);
    }
}

fn layout(array: &Array) -> Option<&crate::layout::Layout> {
    array.node().value().and_then(|value| value.as_ref().ok()).map(Tensor::layout)
}
