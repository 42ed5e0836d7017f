//! Running a graph: its inputs are bound and checked, its nodes written down as lazy arrays, and all outputs computed
//! together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ndcast_shape::{Dim, Extent, Shape};

use super::{Graph, Id, Kind};
use crate::array::{Array, Prepared};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::layout::checked_count;
use crate::tensor::Tensor;

/// A graph that is run again and again: what the shapes of the inputs decide is found once for each set of shapes.
///
/// ```
/// use ndcast::{DType, Op, Tensor, graph::{Graph, Runner}};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "?".parse()?)?;
/// let y = graph.apply(Op::Exp, &[x])?;
/// graph.output("y", y)?;
/// let runner = Runner::new(graph);
/// for extent in [2, 3, 2] {
///     let x = Tensor::zeros(&[extent], DType::F32)?;
///     assert_eq!(runner.run(&[x])?[0].to_vec::<f32>()?, vec![1.0; extent]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Runner {
    graph: Graph,
    /// The programs for the last sets of shapes, the last used one first.
    programs: Mutex<Vec<(Vec<Shape>, Arc<Program>)>>,
}

/// What is computed before a graph runs has at most so many elements.
const FEW: usize = 64;

/// So many sets of shapes are remembered.
const REMEMBERED: usize = 16;

/// A graph of known shapes, in the order in which it runs.
#[derive(Debug)]
pub(super) struct Program {
    graph: Graph,
    /// For each node, how many later ones take it; what is not taken is not made.
    takers: Vec<u32>,
    /// How it runs, if that does not depend on values.
    prepared: OnceLock<Option<Prepared>>,
}

impl Runner {
    /// Of a graph.
    pub fn new(graph: Graph) -> Runner {
        Runner { graph, programs: Mutex::new(Vec::new()) }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The outputs for these inputs, by their order.
    ///
    /// # Errors
    /// If an input does not have the declared element type, or its shape lies outside of the declared one; or if something
    /// cannot be computed.
    pub fn run(&self, inputs: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        self.graph.check_types(inputs.iter().map(Tensor::dtype))?;
        let shapes: Vec<Shape> = inputs.iter().map(|tensor| tensor.shape().into()).collect();
        self.program(&shapes)?.run_again(inputs)
    }

    /// The outputs as lazy arrays of these inputs, by their order.
    ///
    /// # Errors
    /// As [`Runner::run`], but for what is known only when something is computed.
    pub fn arrays(&self, inputs: Vec<Array>) -> Result<Vec<Array>, Error> {
        let dtypes = inputs.iter().map(Array::dtype).collect::<Result<Vec<_>, _>>()?;
        self.graph.check_types(dtypes.into_iter())?;
        let shapes = inputs.iter().map(|array| array.shape().map(Shape::from));
        let shapes = shapes.collect::<Result<Vec<_>, _>>()?;
        self.program(&shapes)?.arrays(inputs)
    }

    fn program(&self, shapes: &[Shape]) -> Result<Arc<Program>, Error> {
        let programs = || self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut programs = programs();
            if let Some(found) = programs.iter().position(|(other, _)| other == shapes) {
                programs[..=found].rotate_right(1);
                return Ok(Arc::clone(&programs[0].1));
            }
        }
        let program = Arc::new(Program::new(self.graph.with_shapes(shapes)?));
        let mut programs = programs();
        programs.insert(0, (shapes.to_vec(), Arc::clone(&program)));
        programs.truncate(REMEMBERED);
        Ok(program)
    }
}

impl Program {
    pub(super) fn new(graph: Graph) -> Program {
        let mut takers = vec![0u32; graph.len()];
        for output in graph.outputs() {
            takers[output.id().place()] += 1;
        }
        for (id, node) in graph.nodes().collect::<Vec<_>>().into_iter().rev() {
            if takers[id.place()] > 0 {
                for argument in node.arguments() {
                    takers[argument.place()] += 1;
                }
            }
        }
        Program { graph, takers, prepared: OnceLock::new() }
    }

    /// The outputs, by the schedule that was made before or is made now.
    fn run_again(&self, inputs: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        match self.prepared.get_or_init(|| self.scheduled(inputs)) {
            Some(prepared) => prepared.run(inputs).map_err(|error| self.placed(error, inputs)),
            None => self.run(inputs),
        }
    }

    /// The outputs.
    fn run(&self, inputs: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        let outputs = self.arrays(inputs.iter().cloned().map(Array::from).collect())?;
        let computed = crate::array::eval(&outputs);
        computed.map_err(|error| self.placed(error, inputs))?;
        outputs.iter().map(Array::eval).collect()
    }

    /// The outputs as lazy arrays.
    pub(super) fn arrays(&self, inputs: Vec<Array>) -> Result<Vec<Array>, Error> {
        self.arrays_checked(inputs, Array::check)
    }

    /// The outputs as lazy arrays, each value checked as soon as it is written down.
    fn arrays_checked(
        &self,
        inputs: Vec<Array>,
        check: impl Fn(&Array) -> Result<(), Error>,
    ) -> Result<Vec<Array>, Error> {
        let mut values: Vec<Option<Array>> = vec![None; self.graph.len()];
        let mut left = self.takers.clone();
        let take = |value: &mut Option<Array>, place: usize| {
            left[place] -= 1;
            // Who takes it last takes it away, so that memory is used again.
            if left[place] == 0 { value.take() } else { value.clone() }
        };
        self.write_down(inputs.into_iter(), &mut values, take, check)?;
        Ok(self.outputs(&values))
    }

    /// What went wrong while all was computed together, with the node that it was at: found by computing one after the
    /// other.
    #[cold]
    fn placed(&self, error: Error, inputs: &[Tensor]) -> Error {
        if error.is_lack_of_memory() {
            return error;
        }
        let inputs = inputs.iter().cloned().map(Array::from).collect();
        match self.arrays_checked(inputs, |value| value.eval().map(drop)) {
            Err(placed) if !placed.is_lack_of_memory() => placed,
            _ => error,
        }
    }

    /// The schedule for all inputs of these shapes; nothing if something asks for a value before all is written down,
    /// or is an error.
    fn scheduled(&self, inputs: &[Tensor]) -> Option<Prepared> {
        let inputs: Vec<Array> =
            inputs.iter().map(|tensor| Array::open(tensor.shape(), tensor.dtype())).collect();
        let mut values: Vec<Option<Array>> = vec![None; self.graph.len()];
        let take = |value: &mut Option<Array>, _| value.clone();
        let written = self.write_down(inputs.iter().cloned(), &mut values, take, Array::check);
        let prepared = written.is_ok().then(|| {
            let outputs = self.outputs(&values);
            Prepared::new(&inputs, &outputs.iter().collect::<Vec<_>>())
        });
        // From the first on, so that none is dropped by way of a long chain of others.
        values.iter().flatten().for_each(Array::unlink);
        prepared
    }

    /// Writes down every value that is needed, and checks it. `take` gives the value of a node, of this place, to one that
    /// takes it.
    fn write_down(
        &self,
        inputs: impl Iterator<Item = Array>,
        values: &mut [Option<Array>],
        mut take: impl FnMut(&mut Option<Array>, usize) -> Option<Array>,
        check: impl Fn(&Array) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (&id, input) in self.graph.inputs().iter().zip(inputs) {
            values[id.place()] = Some(input);
        }
        let mut arguments: Vec<Array> = Vec::new();
        for (id, node) in self.graph.nodes() {
            if self.takers[id.place()] == 0 || matches!(node.kind, Kind::Input(_)) {
                continue;
            }
            arguments.clear();
            for place in node.arguments().iter().map(|argument| argument.place()) {
                arguments.extend(take(&mut values[place], place));
            }
            let value = node.kind.operation().run(&arguments);
            check(&value).map_err(|error| node.placed(error))?;
            values[id.place()] = Some(value);
        }
        Ok(())
    }

    fn outputs(&self, values: &[Option<Array>]) -> Vec<Array> {
        self.graph.outputs().iter().filter_map(|output| values[output.id().place()].clone()).collect()
    }
}

impl Graph {
    /// The outputs for these inputs, by their order; see [`Runner`] for running it more than once.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn run(&self, inputs: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        self.check_types(inputs.iter().map(Tensor::dtype))?;
        let shapes: Vec<Shape> = inputs.iter().map(|tensor| tensor.shape().into()).collect();
        Program::new(self.with_shapes(&shapes)?).run(inputs)
    }

    /// The value of a node that is computed, in steps of few elements each, from what is known before it runs; `None` of another, or
    /// if it cannot be computed. What was computed on the way before is taken, and what is now is added.
    pub(crate) fn computed(&self, id: Id, values: &mut HashMap<Id, Tensor>) -> Option<Tensor> {
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if values.contains_key(&next) {
                open.pop();
                continue;
            }
            let node = self.at(next);
            let extents = node.shape().extents()?;
            if checked_count(&extents).ok()? > FEW {
                return None;
            }
            let value = if let Some(constant) = node.constant() {
                constant.clone()
            } else if let Some(integers) = node.integers() {
                Array::new(&extents, &integers).convert(node.dtype()).eval().ok()?
            } else {
                let before = open.len();
                open.extend(node.arguments().iter().filter(|argument| !values.contains_key(argument)));
                if open.len() > before {
                    continue;
                }
                let arguments = node.arguments().iter().map(|id| values.get(id).cloned().map(Array::from));
                let arguments: Vec<Array> = arguments.collect::<Option<_>>()?;
                // An input has no arguments, and no value.
                (!arguments.is_empty())
                    .then(|| node.kind().operation().run(&arguments).copy())?
                    .eval()
                    .ok()?
            };
            values.insert(next, value);
            open.pop();
        }
        values.get(&id).cloned()
    }

    /// Checks that there is a value of the declared element type for each input.
    fn check_types(&self, inputs: impl ExactSizeIterator<Item = DType>) -> Result<(), Error> {
        let count = self.inputs().len();
        if inputs.len() != count {
            return Err(Error::new(ErrorKind::ArgumentCount {
                least: count,
                most: Some(count),
                found: inputs.len(),
            })
            .of("run"));
        }
        for (&id, given) in self.inputs().iter().zip(inputs) {
            let node = self.at(id);
            if node.dtype() != given {
                let name = node.name().unwrap_or_default().to_owned();
                let declared = node.dtype();
                return Err(Error::new(ErrorKind::InputType { name, declared, given }));
            }
        }
        Ok(())
    }

    /// Checks that shapes lie within the declared ones.
    pub(super) fn bind(&self, shapes: &[Shape]) -> Result<(), Error> {
        let count = self.inputs().len();
        if shapes.len() != count {
            return Err(Error::new(ErrorKind::ArgumentCount {
                least: count,
                most: Some(count),
                found: shapes.len(),
            }));
        }
        // What each name stands for, and which input said so.
        let mut names: Vec<(&Dim, &Dim, &str)> = Vec::new();
        for (&id, given) in self.inputs().iter().zip(shapes) {
            let node = self.at(id);
            let own = node.name().unwrap_or_default();
            let wrong = |axis, because: Option<&(&Dim, &Dim, &str)>| {
                let (declared, given) = (node.shape().clone(), given.clone());
                let because = because.map(|(_, extent, input)| ((*extent).clone(), (*input).to_owned()));
                Error::new(ErrorKind::InputShape { name: own.to_owned(), declared, given, axis, because })
            };
            let (Some(declared), Some(dims)) = (node.dims(), given.dims()) else { continue };
            if declared.len() != dims.len() {
                return Err(wrong(None, None));
            }
            for (axis, (declared, dim)) in declared.iter().zip(dims).enumerate() {
                if declared.meet(dim).is_none() {
                    return Err(wrong(Some(axis), None));
                }
                if let (Dim::Symbol(_), Dim::Known(_)) = (declared, dim) {
                    match names.iter().find(|(name, ..)| *name == declared) {
                        Some(said) if said.1 != dim => return Err(wrong(Some(axis), Some(said))),
                        Some(_) => {}
                        None => names.push((declared, dim, own)),
                    }
                }
            }
        }
        Ok(())
    }
}
