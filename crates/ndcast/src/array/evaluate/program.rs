//! Fuses the items of a stage into one job: a list of operands and of kernels.

use smallvec::SmallVec;

use super::fused::Fused;
use super::hash::Map;
use super::order::{Loops, Order, Strides};
use super::schedule::Schedule;
use crate::array::Form;
use crate::array::expression::Axes;
use crate::convert::{self, Overflow};
use crate::dtype::DType;
use crate::engine::{Argument, By, Job, Operand, Step};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::layout::Layout;
use crate::op::{Algebra, Body, Op, Value};
use crate::tensor::Tensor;

/// Loops over fewer elements have no operand converted ahead.
const WORTH: usize = 1 << 14;

/// Room for so many at first: to ask for much more takes longer than a small program does.
const FEW: usize = 4;

/// A job in the making.
pub(super) struct Program<'s> {
    schedule: &'s Schedule,
    /// The extents of the loops.
    loops: Loops,
    pub(super) operands: Vec<Source<'s>>,
    pub(super) steps: Vec<Step>,
    /// What each step computes, if it is operations or a conversion.
    pub(super) ops: Vec<Option<Fused>>,
    /// Memo: the value of an item that is read by an axis map. They are few, and most differ in the item.
    fused: Vec<(usize, Axes, Typed)>,
    /// Items that are read block by block, from windows.
    windows: Vec<usize>,
    /// Common sub-expressions: the step of a kernel and its arguments.
    made: Map<(usize, SmallVec<[Argument; 3]>), usize>,
    /// Operands that were converted ahead: which, by which kernel, and the converted one.
    converted: Vec<(usize, usize, Typed)>,
    /// Steps that convert an f32 value, and that value: to convert back only rounds it.
    narrowed: Vec<(usize, Typed)>,
}

/// What is read, and how.
pub(super) struct Source<'s> {
    memory: Memory<'s>,
    offset: usize,
    strides: SmallVec<[isize; 6]>,
    size: usize,
    dtype: DType,
    axes: Axes,
}

impl Source<'_> {
    /// What a step of each loop adds to the position.
    fn along(&self) -> Strides {
        self.axes.iter().map(|axis| axis.map_or(0, |own| self.strides[own])).collect()
    }
}

/// Where a source is.
enum Memory<'s> {
    /// An item's value.
    Item(&'s Tensor),
    /// What was made for this program: a number, or what is converted before.
    Own(Box<Tensor>),
    /// What a block needs of this item.
    Window(usize),
}

impl Memory<'_> {
    fn tensor(&self) -> Option<&Tensor> {
        match self {
            Memory::Item(tensor) => Some(tensor),
            Memory::Own(tensor) => Some(tensor),
            Memory::Window(_) => None,
        }
    }

    /// Whether both are the same place.
    fn is(&self, other: &Memory<'_>) -> bool {
        match (self, other) {
            (Memory::Window(one), Memory::Window(two)) => one == two,
            _ => {
                matches!((self.tensor(), other.tensor()), (Some(one), Some(two)) if one.address() == two.address())
            }
        }
    }
}

/// A value in a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Typed {
    pub(super) argument: Argument,
    pub(super) dtype: DType,
}

impl<'s> Program<'s> {
    pub(super) fn new(schedule: &'s Schedule, loops: Loops) -> Program<'s> {
        Program {
            schedule,
            loops,
            operands: Vec::with_capacity(FEW),
            steps: Vec::with_capacity(FEW),
            ops: Vec::with_capacity(FEW),
            windows: vec![],
            fused: Vec::with_capacity(FEW),
            made: Map::new(FEW),
            converted: vec![],
            narrowed: vec![],
        }
    }

    /// A program that reads these items block by block.
    pub(super) fn with_windows(schedule: &'s Schedule, loops: Loops, windows: &[usize]) -> Program<'s> {
        Program { windows: windows.to_vec(), ..Program::new(schedule, loops) }
    }

    /// The value that the result held before, of this type.
    #[allow(clippy::unused_self, reason = "it is a value of this program")]
    pub(super) fn before(&self, dtype: DType) -> Typed {
        Typed { argument: Argument::Before, dtype }
    }

    /// An item's value, read so.
    pub(super) fn item(&mut self, place: usize, axes: &Axes) -> Result<Typed, Error> {
        let known = self.fused.iter().find(|known| known.0 == place && known.1 == *axes);
        if let Some(&(.., value)) = known {
            return Ok(value);
        }
        let value = self.fuse(place, axes)?;
        self.fused.push((place, axes.clone(), value));
        Ok(value)
    }

    /// The value of the item that the stage computes, though it is marked as stored.
    pub(super) fn root(&mut self, place: usize, axes: &Axes) -> Result<Typed, Error> {
        let schedule = self.schedule;
        let item = &schedule.items[place];
        match &item.form {
            Some(Form::Apply(op, read)) => {
                let mut arguments: SmallVec<[Typed; 3]> = SmallVec::new();
                for (number, &argument) in item.arguments.iter().enumerate() {
                    let own = read.as_ref().map(|read| through(axes, &read[number]));
                    arguments.push(self.item(argument, own.as_ref().unwrap_or(axes))?);
                }
                self.apply(*op, &arguments)
            }
            Some(Form::Convert(how)) => {
                let value = self.item(item.arguments[0], axes)?;
                self.convert_as(value, item.array.node().dtype(), *how)
            }
            Some(Form::Read(read)) => self.item(item.arguments[0], &through(axes, read)),
            _ => Err(Error::value("a value that is not fused was not computed before it".to_owned())),
        }
    }

    fn fuse(&mut self, place: usize, axes: &Axes) -> Result<Typed, Error> {
        if !self.schedule.is_stored(place) {
            return self.root(place, axes);
        }
        let node = self.schedule.items[place].array.node();
        match node.value() {
            Some(Ok(tensor)) => Ok(self.read(Memory::Item(tensor), tensor.layout(), tensor.dtype(), axes)),
            Some(Err(error)) => Err(error.clone()),
            None if self.windows.contains(&place) => {
                Ok(self.read(Memory::Window(place), &Layout::row_major(node.shape())?, node.dtype(), axes))
            }
            None => Err(Error::value("a value was not computed before it was needed".to_owned())),
        }
    }

    /// A tensor as an operand, read so.
    pub(super) fn operand(&mut self, tensor: Tensor, axes: &Axes) -> Typed {
        let (layout, dtype) = (tensor.layout().clone(), tensor.dtype());
        self.read(Memory::Own(Box::new(tensor)), &layout, dtype, axes)
    }

    /// Memory that elements of a type lie in so, as an operand, read so.
    fn read(&mut self, memory: Memory<'s>, layout: &Layout, dtype: DType, axes: &Axes) -> Typed {
        let (offset, strides) = (layout.offset(), layout.strides().into());
        let size = dtype.size().unwrap_or(1);
        self.source(Source { memory, offset, strides, size, dtype, axes: axes.clone() })
    }

    /// A source, unless it is there already.
    fn source(&mut self, source: Source<'s>) -> Typed {
        let same = |other: &Source<'_>| {
            (other.offset, other.dtype) == (source.offset, source.dtype)
                && (&other.strides, &other.axes) == (&source.strides, &source.axes)
                && other.memory.is(&source.memory)
        };
        let dtype = source.dtype;
        let number = self.operands.iter().position(same).unwrap_or_else(|| {
            self.operands.push(source);
            self.operands.len() - 1
        });
        Typed { argument: Argument::Operand(number), dtype }
    }

    /// A value as another type.
    pub(super) fn convert(&mut self, value: Typed, dtype: DType) -> Result<Typed, Error> {
        self.convert_as(value, dtype, Overflow::Numpy)
    }

    fn convert_as(&mut self, value: Typed, dtype: DType, how: Overflow) -> Result<Typed, Error> {
        if value.dtype == dtype {
            return Ok(value);
        }
        let kernel = convert::kernel(value.dtype, dtype, how);
        let kernel = kernel.ok_or_else(|| Error::no_memory_form(dtype))?;
        if let Some(converted) = self.converted(value, kernel, dtype)? {
            return Ok(converted);
        }
        let narrowed = self.narrowed.iter().find(|narrowed| value.argument == Argument::Step(narrowed.0));
        if let (Some(&(_, wide)), Some(kernel)) = (narrowed, convert::rounded(value.dtype))
            && wide.dtype == dtype
        {
            return Ok(self.step(kernel, None, &[wide], dtype));
        }
        let result = self.step(kernel, Some(Fused::conversion(value.dtype, dtype)), &[value], dtype);
        if let (DType::F32, Argument::Step(step)) = (value.dtype, result.argument) {
            self.narrowed.push((step, value));
        }
        Ok(result)
    }

    /// A broadcast operand, converted ahead: in the loop each of its elements would be converted many times.
    fn converted(&mut self, value: Typed, kernel: Kernel, dtype: DType) -> Result<Option<Typed>, Error> {
        let Argument::Operand(number) = value.argument else { return Ok(None) };
        let source = &self.operands[number];
        let Some(tensor) = source.memory.tensor() else { return Ok(None) };
        let loops: usize = self.loops.iter().product();
        if loops < WORTH || tensor.elements() > loops / 2 {
            return Ok(None);
        }
        let known = self.converted.iter().find(|known| (known.0, known.1) == (number, kernel.id()));
        if let Some(&(.., known)) = known {
            return Ok(Some(known));
        }
        let (tensor, axes) = (super::stage::converted(tensor, kernel, dtype)?, source.axes.clone());
        let converted = self.operand(tensor, &axes);
        self.converted.push((number, kernel.id(), converted));
        Ok(Some(converted))
    }

    /// The result of an operation, rounded to the type of its result.
    pub(super) fn apply(&mut self, op: Op, arguments: &[Typed]) -> Result<Typed, Error> {
        let dtype = arguments.last().map_or(DType::Bool, |argument| argument.dtype);
        let result = op.result(dtype).ok_or_else(|| Error::not_taken(dtype, vec![]).of(op.record().name))?;
        let moved = matches!(op.record().body, Body::Select);
        let within = if op.kernel(dtype).is_some() { dtype } else { dtype.computed_in() };
        let mut converted: SmallVec<[Typed; 3]> = SmallVec::new();
        for &argument in arguments {
            let own = argument.dtype == DType::Bool && moved;
            converted.push(if own { argument } else { self.convert(argument, within)? });
        }
        let value = self.compute(op, &converted)?;
        self.convert(value, result)
    }

    /// An operation on values that have its compute type already.
    fn compute(&mut self, op: Op, arguments: &[Typed]) -> Result<Typed, Error> {
        let dtype = arguments.last().map_or(DType::Bool, |argument| argument.dtype);
        let refused = || Error::not_taken(dtype, vec![]).of(op.record().name);
        if let Body::Formula(formula) = op.record().body {
            let mut building = Building { program: self, values: arguments.to_vec(), dtype, failed: None };
            let values: SmallVec<[Value; 4]> = (0u32..).take(arguments.len()).map(Value).collect();
            let result = formula(&mut building, &values);
            let value = building.value(result);
            return building.failed.map_or(Ok(value), Err);
        }
        // One argument is read less, and more is known of what is done with it.
        if let [one, other] = arguments
            && one == other
            && let Some((op, kernel)) = op.twice().and_then(|op| Some((op, op.kernel(dtype)?)))
        {
            return Ok(self.step(kernel, Some(Fused::new(op, dtype)), &[*one], dtype));
        }
        let kernel = op.kernel(dtype).ok_or_else(refused)?;
        let result = op.result(dtype).ok_or_else(refused)?;
        Ok(self.step(kernel, Some(Fused::new(op, dtype)), arguments, result))
    }

    /// A step, unless it was made already.
    fn step(&mut self, kernel: Kernel, op: Option<Fused>, arguments: &[Typed], dtype: DType) -> Typed {
        let arguments: SmallVec<[Argument; 3]> = arguments.iter().map(|value| value.argument).collect();
        let size = dtype.size().unwrap_or(1);
        let (steps, ops) = (&mut self.steps, &mut self.ops);
        let step = *self.made.get_or_insert_with((kernel.id(), arguments.clone()), || {
            steps.push(Step { kernel, arguments, size });
            ops.push(op);
            steps.len() - 1
        });
        Typed { argument: Argument::Step(step), dtype }
    }

    /// The order of the loops in which the operands lie in memory.
    pub(super) fn order(&self) -> Order {
        Order::alike(&self.loops, self.strides().iter())
    }

    /// Whether nothing is computed.
    pub(super) fn is_plain(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether one operation is computed, of operands alone.
    pub(super) fn is_one_step(&self) -> bool {
        self.steps.len() == 1
    }

    /// What a step of each loop adds to the position in each operand.
    pub(super) fn strides(&self) -> SmallVec<[Strides; 4]> {
        self.operands.iter().map(Source::along).collect()
    }

    /// The job, for the loops in this order, some of them backwards.
    pub(super) fn job(&self, order: &Order) -> Job<'_> {
        self.job_of(order, &self.loops, &[], &[])
    }

    /// The job for a block of the loops, of these extents, from these leading indices on. Items that are not stored are read
    /// from these windows, which hold what the block needs of them.
    pub(super) fn job_of<'j>(
        &'j self,
        order: &Order,
        loops: &[usize],
        starts: &[usize],
        windows: &[(usize, &'j [u8])],
    ) -> Job<'j> {
        let operand = |source: &'j Source<'_>| {
            let mut start = source.offset.cast_signed();
            let strides = source.along();
            let bytes = match &source.memory {
                Memory::Window(place) => {
                    windows.iter().find(|window| window.0 == *place).map_or(&[][..], |window| window.1)
                }
                memory => {
                    for (&first, stride) in starts.iter().zip(&strides) {
                        start += first.cast_signed() * stride;
                    }
                    memory.tensor().map_or(&[][..], Tensor::memory)
                }
            };
            Operand { bytes, size: source.size, walk: order.walk(loops, &strides, start) }
        };
        let elements = loops.iter().product();
        Job {
            elements,
            operands: self.operands.iter().map(operand).collect(),
            steps: &self.steps,
            by: By::Threads,
        }
    }

    /// How the windows are read.
    pub(super) fn window_axes(&self) -> impl Iterator<Item = &Axes> {
        self.operands
            .iter()
            .filter(|source| matches!(source.memory, Memory::Window(_)))
            .map(|source| &source.axes)
    }
}

/// The composition of two axis maps.
fn through(outer: &Axes, inner: &Axes) -> Axes {
    outer.iter().map(|axis| axis.and_then(|axis| inner[axis])).collect()
}

/// A formula's operations as steps of a program, all in one type.
struct Building<'p, 's> {
    program: &'p mut Program<'s>,
    values: Vec<Typed>,
    dtype: DType,
    failed: Option<Error>,
}

impl Building<'_, '_> {
    fn value(&self, value: Value) -> Typed {
        let first = Typed { argument: Argument::Before, dtype: self.dtype };
        usize::try_from(value.0).ok().and_then(|place| self.values.get(place)).copied().unwrap_or(first)
    }

    fn add(&mut self, value: Result<Typed, Error>) -> Value {
        match value {
            Ok(value) => self.values.push(value),
            Err(error) => {
                self.failed.get_or_insert(error);
                self.values.push(Typed { argument: Argument::Before, dtype: self.dtype });
            }
        }
        Value(u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX))
    }
}

impl Algebra for Building<'_, '_> {
    fn apply(&mut self, op: Op, arguments: &[Value]) -> Value {
        let arguments: SmallVec<[Typed; 3]> = arguments.iter().map(|&value| self.value(value)).collect();
        let value = self.program.compute(op, &arguments);
        self.add(value)
    }

    fn number(&mut self, n: f64) -> Value {
        let axes: Axes = smallvec::smallvec![None; self.program.loops.len()];
        let tensor = crate::array::Number::Float(n).tensor(self.dtype);
        let value = tensor.map(|tensor| self.program.operand(tensor, &axes));
        self.add(value)
    }
}
