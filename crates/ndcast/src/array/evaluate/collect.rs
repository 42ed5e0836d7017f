//! The arrays of an expression in topological order, common sub-expressions once.

use smallvec::SmallVec;

use super::hash::Map;
use super::schedule::Item;
use crate::array::{Array, Form};
use crate::dtype::DType;
use crate::op::Op;
use crate::tensor::Tensor;

/// The places of arguments.
type Places = SmallVec<[usize; 3]>;

/// Room for so many at first: to ask for much more takes longer than a small expression does.
const FEW: usize = 4;

/// Arrays as they are found, equal ones once.
pub(super) struct Collected {
    pub(super) items: Vec<Item>,
    by_address: Map<usize, usize>,
    /// Candidates for equality: items of one kind with the same arguments, few in each place.
    alike: Map<(Kind, Places), SmallVec<[usize; 1]>>,
}

/// What equal items have in common, but for their arguments.
#[derive(PartialEq, Eq, Hash)]
enum Kind {
    Apply(Op),
    /// A view from some position on.
    View(usize, DType),
    Other(DType),
    /// Where its memory begins, and its first element there.
    Memory(usize, usize, DType),
    Number(Vec<u8>, DType),
    Open(usize),
}

impl Collected {
    pub(super) fn new() -> Collected {
        Collected { items: Vec::with_capacity(FEW), by_address: Map::new(FEW), alike: Map::new(FEW) }
    }

    /// The place of an array, with all it is made of in places before it.
    pub(super) fn place(&mut self, root: &Array) -> usize {
        // Arrays to be placed, and those whose arguments have places.
        enum Task {
            Open(Array),
            Close(Array),
        }
        let mut tasks = Vec::with_capacity(FEW);
        tasks.push(Task::Open(root.clone()));
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(array) => {
                    if self.by_address.get(&array.node().address()).is_some() {
                        continue;
                    }
                    let mut arguments: SmallVec<[Array; 3]> = SmallVec::new();
                    if array.node().value().is_none()
                        && let Some(expression) = array.node().expression()
                        && let Some(expression) = &*expression
                    {
                        arguments.extend(expression.arguments.iter().cloned());
                    }
                    // The deepest first: so in a long sum each term is computed where it is added, and not all before.
                    arguments.sort_by_key(|argument| argument.node().depth());
                    tasks.push(Task::Close(array));
                    tasks.extend(arguments.into_iter().map(Task::Open));
                }
                Task::Close(array) => self.close(array),
            }
        }
        self.by_address.get(&root.node().address()).copied().unwrap_or_default()
    }

    /// Adds an array whose arguments have places.
    fn close(&mut self, array: Array) {
        let made = match (array.node().value(), array.node().expression().as_deref()) {
            (None, Some(Some(expression))) => {
                let place = |argument: &Array| self.by_address.get(&argument.node().address()).copied();
                let arguments: Option<Places> = expression.arguments.iter().map(place).collect();
                arguments.map(|arguments| (expression.form.clone(), arguments))
            }
            _ => None,
        };
        // Without an expression it was computed before or meanwhile, or is still to come.
        let Some((form, arguments)) = made else { return self.leaf(array) };
        let kind = match &form {
            Form::Apply(op, _) => Kind::Apply(*op),
            Form::View(layout) => Kind::View(layout.offset(), array.node().dtype()),
            _ => Kind::Other(array.node().dtype()),
        };
        self.add(array, Some(form), kind, arguments);
    }

    fn leaf(&mut self, array: Array) {
        let kind = match array.node().value() {
            Some(Ok(tensor)) if tensor.rank() == 0 => {
                let first = tensor.layout().offset() * tensor.size();
                Kind::Number(tensor.memory()[first..first + tensor.size()].to_vec(), tensor.dtype())
            }
            Some(Ok(tensor)) => Kind::Memory(tensor.address(), tensor.layout().offset(), tensor.dtype()),
            _ => Kind::Open(array.node().address()),
        };
        self.add(array, None, kind, SmallVec::new());
    }

    fn add(&mut self, array: Array, form: Option<Form>, kind: Kind, arguments: SmallVec<[usize; 3]>) {
        let address = array.node().address();
        let alike = self.alike.get_or_insert_with((kind, arguments.clone()), SmallVec::new);
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
            self.items.push(Item::new(array.clone(), form, arguments));
            self.items.len() - 1
        });
        if equal.is_some() {
            self.items[place].duplicates.push(array);
        }
        self.by_address.get_or_insert_with(address, || place);
    }
}

fn layout(array: &Array) -> Option<&crate::layout::Layout> {
    array.node().value().and_then(|value| value.as_ref().ok()).map(Tensor::layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    /// To look for equal ones among all views of an array would take as long as there are pairs of them.
    #[test]
    fn views_of_one_array_are_looked_for_in_different_places() -> Result<(), Error> {
        let ready = Array::new(&[300, 2], &[1.0f32; 600]);
        let lazy = Array::full(&[300, 1 << 14], 1, DType::I32) + 1;
        for whole in [ready, lazy] {
            let mut collected = Collected::new();
            for row in whole.unstack(0)?.iter().chain(&whole.unstack(0)?) {
                collected.place(row);
            }
            let rows = collected.items.iter().filter(|item| item.array.rank() == Ok(1)).count();
            assert_eq!(rows, 300, "each is there once");
            assert_eq!(collected.alike.len(), collected.items.len());
        }
        Ok(())
    }
}
