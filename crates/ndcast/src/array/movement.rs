//! Movement: the same elements elsewhere. Most of it is a view and moves nothing.

use std::borrow::Borrow;
use std::sync::Arc;

use ndcast_shape::rule::array_api;
use ndcast_shape::{Index, Plan, Shape};
use smallvec::{SmallVec, smallvec};

use super::apply::addressable;
use super::expression::{Axes, axes};
use super::{Array, Call, Called, Expression, Extents, Form, Number, Over, quick};
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::layout::{Layout, LayoutError, as_i64};
use crate::tensor::Tensor;

impl Array {
    /// Stretched to a shape, one way, as the Array API does. Nothing is copied.
    ///
    /// ```
    /// use ndcast::Array;
    /// let row = Array::new(&[3], &[1, 2, 3]);
    /// assert_eq!(row.broadcast_to(&[2, 3]).to_vec::<i32>()?, [1, 2, 3, 1, 2, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[usize]) -> Array {
        self.moved("broadcast_to", |own| Ok(array_api::broadcast_to(own, shape)?))
    }

    /// Broadcast as one operand of a rule's plan. Nothing is copied.
    ///
    /// ```
    /// use ndcast::{Array, shape::rule::xla};
    /// let column = Array::new(&[2], &[1, 2]);
    /// let plan = xla::binary(&[2], &[2, 3], &[0])?;
    /// assert_eq!(column.broadcast(&plan, 0).to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn broadcast(&self, plan: &Plan, operand: usize) -> Array {
        let read = (operand < plan.operand_count()).then(|| plan.operand_shape(operand));
        self.read("broadcast", |own| {
            if read.as_deref() != Some(own) {
                return Err(LayoutError::OtherPlan { shape: own.to_vec(), plan: read }.into());
            }
            Ok((plan.shape().into(), axes(plan, operand)))
        })
    }

    /// What an index selects: a view.
    ///
    /// ```
    /// use ndcast::{Array, shape::parse_index};
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.select(&parse_index(":, ::-2")?).to_vec::<i32>()?, [3, 1, 6, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(&self, index: &[Index]) -> Array {
        self.view("select", |layout| Ok(layout.select(index)?))
    }

    /// Some axes backwards.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2], &[1, 2, 3, 4]);
    /// assert_eq!(x.flip(0).to_vec::<i32>()?, [3, 4, 1, 2]);
    /// assert_eq!(x.flip(..).to_vec::<i32>()?, [4, 3, 2, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn flip(&self, axes: impl Into<Over>) -> Array {
        let axes = axes.into();
        self.view("flip", |layout| {
            let axes = axes.sorted(layout.rank())?;
            axes.iter().try_fold(layout.clone(), |layout, &axis| Ok(layout.flip(axis)?))
        })
    }

    /// Another shape of the same elements in the same order.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.reshape(&[3, 2]).shape()?, [3, 2]);
    /// assert!(x.reshape(&[4]).eval().is_err());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn reshape(&self, shape: &[usize]) -> Array {
        if let Some(Ok(tensor)) = self.node().at_hand() {
            match tensor.reshape(shape) {
                Ok(Some(view)) => return view.into(),
                Err(error) => return Array::of_error(error.of("reshape")),
                Ok(None) => {}
            }
        }
        if self.check().is_err() {
            return self.clone();
        }
        let to = Layout::row_major(self.node().shape()).and_then(|own| own.reshape(shape));
        match to {
            Ok(Some(layout)) => self.viewed(layout),
            Ok(None) => self.clone(),
            Err(error) => Array::of_error(Error::from(error).of("reshape")),
        }
    }

    /// All elements along one axis, in order.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2], &[1, 2, 3, 4]).transpose(&[1, 0]);
    /// assert_eq!(x.flatten().to_vec::<i32>()?, [1, 3, 2, 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "ravel")]
    pub fn flatten(&self) -> Array {
        self.elements().map_or_else(Array::of_error, |elements| self.reshape(&[elements]))
    }

    /// The elements moved along an axis by so many places; those that fall off the end come in at the beginning.
    ///
    /// ```
    /// use ndcast::Array;
    /// assert_eq!(Array::new(&[4], &[1, 2, 3, 4]).roll(1, 0).to_vec::<i32>()?, [4, 1, 2, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn roll(&self, places: i64, axis: usize) -> Array {
        let shape = self.node().shape();
        let Some(&extent) = shape.get(axis) else { return self.no_axis("roll", axis) };
        if extent == 0 {
            return self.clone();
        }
        let extent = as_i64(extent);
        let cut = (extent - places.rem_euclid(extent)) % extent;
        if cut == 0 {
            return self.clone();
        }
        let part = |start, stop| self.select(&along(axis, start, stop));
        Array::concatenate(&[&part(Some(cut), None), &part(None, Some(cut))], axis)
    }

    /// The arrays one behind the other along an axis; their other axes have the same extents.
    ///
    /// ```
    /// use ndcast::Array;
    /// let (a, b) = (Array::new(&[1, 2], &[1, 2]), Array::new(&[2, 2], &[3, 4, 5, 6]));
    /// assert_eq!(Array::concatenate(&[&a, &b], 0).to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "concat")]
    pub fn concatenate(arrays: &[impl Borrow<Array>], axis: usize) -> Array {
        Array::joined(&arrays.iter().map(Borrow::borrow).collect::<SmallVec<[&Array; 4]>>(), axis)
    }

    fn joined(arrays: &[&Array], axis: usize) -> Array {
        let doing = "concatenate";
        let Some(first) = arrays.first() else {
            return Array::of_error(Error::value("there is no array".to_owned()).of(doing));
        };
        if let Some(wrong) = arrays.iter().find(|array| array.check().is_err()) {
            return (*wrong).clone();
        }
        let mut shape: Extents = first.node().shape().into();
        if axis >= shape.len() {
            return first.no_axis(doing, axis);
        }
        let mut dtype = first.node().dtype();
        for array in &arrays[1..] {
            let other = array.node().shape();
            let alike =
                other.len() == shape.len() && (0..shape.len()).all(|a| a == axis || other[a] == shape[a]);
            if !alike {
                let shapes = [first, *array].map(|array| Shape::from(array.node().shape())).to_vec();
                return Array::of_error(Error::new(ErrorKind::UnequalBesides { shapes, axis }).of(doing));
            }
            shape[axis] = shape[axis].saturating_add(other[axis]);
            match crate::promote::promote(dtype, array.node().dtype()) {
                Ok(common) => dtype = common,
                Err(error) => return Array::of_error(Error::from(error).of(doing)),
            }
        }
        // If most of it is lent, that is read at once, which costs no more than to copy it for later.
        let lent = arrays.iter().filter(|array| array.is_lent()).map(|array| array.node().shape()[axis]);
        let at_once = lent.fold(0, usize::saturating_add) > shape[axis] / 2;
        let mut whole = if at_once {
            Tensor::uninitialised(&shape, dtype).map_or_else(Array::of_error, Array::from)
        } else {
            Array::unwritten(&shape, dtype)
        };
        if whole.check().is_err() {
            return whole;
        }
        let mut start = 0i64;
        for array in arrays {
            let stop = start + as_i64(array.node().shape()[axis]);
            let part = along(axis, Some(start), Some(stop));
            if at_once {
                whole.set(&part, *array);
            } else {
                whole.set_later(&part, *array);
            }
            start = stop;
        }
        whole
    }

    /// The arrays, of one shape, along a new axis before this one.
    ///
    /// ```
    /// use ndcast::Array;
    /// let rows = [Array::new(&[2], &[1, 2]), Array::new(&[2], &[3, 4])];
    /// assert_eq!(Array::stack(&rows, 1).to_vec::<i32>()?, [1, 3, 2, 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn stack(arrays: &[impl Borrow<Array>], axis: usize) -> Array {
        let shapes = arrays.iter().map(|array| array.borrow().shape()).collect::<Result<Vec<_>, _>>();
        if let Ok(shapes) = shapes
            && let Some(other) = shapes.iter().find(|shape| **shape != shapes[0])
        {
            let shapes = vec![Shape::from(shapes[0]), Shape::from(*other)];
            return Array::of_error(Error::new(ErrorKind::Unequal { shapes }).of("stack"));
        }
        let expanded: Vec<Array> =
            arrays.iter().map(|array| array.borrow().expand(axis).called("expand", "stack")).collect();
        Array::concatenate(&expanded, axis).called("concatenate", "stack")
    }

    /// The whole array so many times along each axis; missing axes are put before.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2], &[1, 2]);
    /// assert_eq!(x.tile(&[2, 2]).to_vec::<i32>()?, [1, 2, 1, 2, 1, 2, 1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn tile(&self, times: &[usize]) -> Array {
        let mut array = self.clone();
        let own = self.node().shape();
        let rank = own.len().max(times.len());
        let extent = |axis: usize| (axis + own.len()).checked_sub(rank).map_or(1, |axis| own[axis]);
        let times = |axis: usize| (axis + times.len()).checked_sub(rank).map_or(1, |axis| times[axis]);
        // Each axis as two: how often, and what.
        let split: Extents = (0..rank).flat_map(|axis| [1, extent(axis)]).collect();
        let repeated: Extents = (0..rank).flat_map(|axis| [times(axis), extent(axis)]).collect();
        let whole: Extents = (0..rank).map(|axis| times(axis).saturating_mul(extent(axis))).collect();
        array = array.reshape(&split).broadcast_to(&repeated).called("broadcast_to", "tile");
        array.reshape(&whole)
    }

    /// Each element along an axis so many times.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2], &[1, 2]);
    /// assert_eq!(x.repeat(3, 0).to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn repeat(&self, times: usize, axis: usize) -> Array {
        let own = self.node().shape();
        if axis >= own.len() {
            return self.no_axis("repeat", axis);
        }
        let mut repeated: Extents = own.into();
        repeated.insert(axis + 1, times);
        let mut whole: Extents = own.into();
        whole[axis] = whole[axis].saturating_mul(times);
        self.expand(axis + 1).broadcast_to(&repeated).called("broadcast_to", "repeat").reshape(&whole)
    }

    /// The numbers 0, 1, 2, ... along one axis. An integer type that cannot hold the last is an error; floats are rounded.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::iota(3, DType::U8).to_vec::<u8>()?, [0, 1, 2]);
    /// let error = Array::iota(300, DType::U8).check().unwrap_err();
    /// assert_eq!(error.to_string(), "iota: 299 is not between 0 and 255, which u8 holds");
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn iota(extent: usize, dtype: DType) -> Array {
        let last = extent.saturating_sub(1);
        match Number::from(last).element(dtype) {
            Ok(_) => Array::counted(extent, dtype, "iota"),
            Err(error) => Array::of_error(error.of("iota")),
        }
    }

    /// The same for an operation; in a type that does not hold all of them they wrap.
    pub(super) fn counted(extent: usize, dtype: DType, doing: &'static str) -> Array {
        let signed = as_i64(extent);
        let make = || {
            // Asked for before the numbers are made, so that too many are an error.
            let mut tensor = Tensor::uninitialised(&[extent], DType::I64)?;
            if let Some(numbers) = tensor.as_slice_mut::<i64>() {
                numbers.iter_mut().zip(0..signed).for_each(|(to, n)| *to = n);
            }
            Ok(tensor)
        };
        Array::from(make().map_err(|error: Error| error.of(doing))).convert(dtype)
    }

    /// For each index a row of `depth` numbers along a new last axis: `on` at the index, `off` elsewhere.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let x = Array::new(&[2], &[2, 0]);
    /// assert_eq!(x.one_hot(3, 1, 0, DType::F32).to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn one_hot(
        &self,
        depth: usize,
        on: impl Into<Number>,
        off: impl Into<Number>,
        dtype: DType,
    ) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        // Compared as a type that holds every place.
        let wide = match self.node().dtype().class() {
            Class::Unsigned => DType::U64,
            Class::Float => DType::F64,
            _ => DType::I64,
        };
        let numbers = Array::counted(depth, wide, "one_hot");
        let is_it = self.convert(wide).expand(self.node().shape().len()).equal(&numbers);
        let value = |number: Number| {
            let value = number.kept(dtype).and_then(|()| number.tensor(dtype));
            Array::from(value.map_err(|error| error.of("one_hot")))
        };
        let (on, off) = (value(on.into()), value(off.into()));
        is_it.choose(&on, &off).called("where", "one_hot")
    }

    /// A contiguous row-major copy, in memory of its own: broadcasts and views are materialised.
    ///
    /// ```
    /// use ndcast::Array;
    /// let rows = Array::new(&[3], &[1, 2, 3]).broadcast_to(&[2, 3]);
    /// assert_eq!(rows.eval()?.layout().strides(), [0, 1]);
    /// assert_eq!(rows.copy().eval()?.layout().strides(), [3, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn copy(&self) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let shape: Extents = self.node().shape().into();
        let form = Form::Convert(Overflow::Numpy);
        Array::lazy(shape, self.node().dtype(), Expression { form, arguments: smallvec![self.clone()] })
    }

    /// An array that is written before it is read.
    pub(super) fn unwritten(shape: &[usize], dtype: DType) -> Array {
        if let Err(error) = addressable(shape) {
            return Array::of_error(error);
        }
        if let Some(array) = quick::unwritten(shape, dtype) {
            return array.unwrap_or_else(Array::of_error);
        }
        Array::call(Called::Unwritten, [], shape.into(), dtype, move |_, shape| {
            Tensor::uninitialised(shape, dtype)
        })
    }

    pub(super) fn no_axis(&self, doing: &'static str, axis: usize) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let error = LayoutError::NoAxis { axis, rank: self.node().shape().len() };
        Array::of_error(Error::from(error).of(doing))
    }

    /// What lies along an axis from one place to before another.
    pub(crate) fn between(&self, axis: usize, start: i64, stop: i64) -> Array {
        self.select(&along(axis, Some(start), Some(stop)))
    }

    /// Read so, by whoever knows that the axes are right: see [`Axes`].
    pub(crate) fn laid(&self, shape: Extents, axes: Axes) -> Array {
        self.read("broadcast", |_| Ok((shape, axes)))
    }

    /// Read in the way of a plan that is made from its shape.
    fn moved(&self, doing: &'static str, plan: impl FnOnce(&[usize]) -> Result<Plan, Error>) -> Array {
        self.read(doing, |own| plan(own).map(|plan| (plan.shape().into(), axes(&plan, 0))))
    }

    /// Read so: the shape of the result, and for each of its axes the own axis.
    pub(super) fn read(
        &self,
        doing: &'static str,
        how: impl FnOnce(&[usize]) -> Result<(Extents, Axes), Error>,
    ) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let (shape, axes) = match how(self.node().shape()).and_then(|how| addressable(&how.0).map(|()| how)) {
            Ok(how) => how,
            Err(error) => return Array::of_error(error.of(doing)),
        };
        if let Some(Ok(tensor)) = self.node().at_hand() {
            return tensor.with_layout(tensor.layout().read(&shape, &axes)).into();
        }
        let expression = Expression { form: Form::Read(axes), arguments: smallvec![self.clone()] };
        Array::lazy(shape, self.node().dtype(), expression)
    }

    /// A view, of the tensor if there is one, else of what will be computed.
    pub(super) fn view(
        &self,
        doing: &'static str,
        view: impl FnOnce(&Layout) -> Result<Layout, Error>,
    ) -> Array {
        match self.node().at_hand() {
            Some(Err(_)) => self.clone(),
            Some(Ok(tensor)) => match view(tensor.layout()) {
                Ok(layout) => tensor.with_layout(layout).into(),
                Err(error) => Array::of_error(error.of(doing)),
            },
            None => {
                match Layout::row_major(self.node().shape()).map_err(Error::from).and_then(|own| view(&own)) {
                    Ok(layout) => self.viewed(layout),
                    Err(error) => Array::of_error(error.of(doing)),
                }
            }
        }
    }

    /// A view of what lies one behind the other.
    fn viewed(&self, layout: Layout) -> Array {
        let shape = layout.shape().into();
        let expression =
            Expression { form: Form::View(Box::new(layout)), arguments: smallvec![self.clone()] };
        Array::lazy(shape, self.node().dtype(), expression)
    }

    /// What a function makes of arrays' tensors and the shape of the result; how each is walked along is told of in [`Call`].
    pub(super) fn call(
        called: Called,
        arguments: impl IntoIterator<Item = (Array, Axes)>,
        shape: Extents,
        dtype: DType,
        function: impl Fn(&[Tensor], &[usize]) -> Result<Tensor, Error> + Send + Sync + 'static,
    ) -> Array {
        let (arguments, walked): (SmallVec<_>, _) = arguments.into_iter().unzip();
        if let Some(array) = quick::called(&arguments, &shape, dtype, &function) {
            return array.unwrap_or_else(Array::of_error);
        }
        let form = Form::Call(Arc::new(Call { called, walked, function: Arc::new(function) }));
        Array::lazy(shape, dtype, Expression { form, arguments })
    }
}

/// Axes in order, each once.
pub(super) fn sorted(axes: &[usize], rank: usize) -> Result<SmallVec<[usize; 6]>, Error> {
    let mut sorted: SmallVec<[usize; 6]> = axes.into();
    sorted.sort_unstable();
    if let Some(&axis) = sorted.last().filter(|&&axis| axis >= rank) {
        return Err(LayoutError::NoAxis { axis, rank }.into());
    }
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::value(format!("axis {} is named twice", twice[0])));
    }
    Ok(sorted)
}

/// A part of one axis.
pub(super) fn along(axis: usize, start: Option<i64>, stop: Option<i64>) -> Vec<Index> {
    let mut index = vec![Index::WHOLE; axis];
    index.push(Index::part(start, stop));
    index
}
