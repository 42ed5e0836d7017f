//! Einstein's sums: axes have letters, equal letters are one axis, and letters that the result lacks are summed over.
//!
//! Two operands that share letters which are summed become a product of matrices; everything else is one fused
//! multiplication and a sum. Of more than two operands those two are multiplied first that take the fewest multiplications.

use std::borrow::Borrow;

use smallvec::SmallVec;

use super::{Array, Extents, Keep};
use crate::error::Error;

/// The letters of one operand's axes. Those that an ellipsis stands for are numbered from the right, behind all letters.
type Labels = SmallVec<[u32; 6]>;

/// From here on labels are not letters but axes of an ellipsis, counted from the right.
const ELLIPSIS: u32 = 0x0011_0000;

impl Array {
    /// The sum that a text such as `"ij,jk->ik"` says. An ellipsis stands for the axes without a letter, which are
    /// broadcast; without an arrow the result has the letters that stand once, in alphabetical order.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// let y = Array::new(&[3], &[1, 0, 1]);
    /// assert_eq!(Array::einsum("ij,j->i", &[&x, &y]).to_vec::<i32>()?, [4, 10]);
    /// assert_eq!(Array::einsum("ij->ji", &[&x]).to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn einsum(text: &str, operands: &[impl Borrow<Array>]) -> Array {
        let operands: SmallVec<[&Array; 4]> = operands.iter().map(Borrow::borrow).collect();
        let made = || summed(text, &operands).unwrap_or_else(|error| Array::of_error(error.called("einsum")));
        Array::as_one_operation(&operands, made)
    }
}

fn summed(text: &str, operands: &[&Array]) -> Result<Array, Error> {
    let wrong = |what: String| Error::value(format!("{text:?}: {what}"));
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text, None),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    if inputs.len() != operands.len() {
        return Err(wrong(format!("it speaks of {} arrays, and {} are given", inputs.len(), operands.len())));
    }
    let mut read = vec![];
    for (input, operand) in inputs.iter().zip(operands) {
        read.push(labels(input, Some(operand.rank()?)).map_err(wrong)?);
    }
    let all: Vec<u32> = read.iter().flatten().copied().collect();
    let widest = all.iter().filter(|&&label| label >= ELLIPSIS).max();
    let rest = widest.map_or(0, |&label| (label - ELLIPSIS + 1) as usize);
    let result: Labels = match output {
        Some(output) => {
            let letters = output.chars().filter(|c| c.is_alphabetic()).count();
            let rest = if output.contains("...") { rest } else { 0 };
            labels(output, Some(letters + rest)).map_err(wrong)?
        }
        None => {
            let once = |label: &u32| all.iter().filter(|other| *other == label).count() == 1;
            let mut letters: Labels =
                all.iter().copied().filter(|label| *label < ELLIPSIS && once(label)).collect();
            letters.sort_unstable();
            (0..rest).rev().map(|n| ELLIPSIS + u32::try_from(n).unwrap_or(0)).chain(letters).collect()
        }
    };
    let twice = |label: &u32| result.iter().filter(|other| *other == label).count() > 1;
    if let Some(label) = result.iter().find(|label| !all.contains(label) || twice(label)) {
        return Err(wrong(format!("{} in the result is in no array, or there twice", name(*label))));
    }
    let mut terms: Vec<Term> = vec![];
    for (operand, labels) in operands.iter().zip(read) {
        terms.push(Term { array: (*operand).clone(), labels }.diagonals()?);
    }
    while terms.len() > 1 {
        let (left, right) = cheapest(&terms, &result);
        let (right, left) = (terms.remove(right), terms.remove(left));
        // What neither the result nor another operand needs is summed here.
        let product = left.times(&right, |label| is_needed(*label, &result, &terms))?;
        terms.push(product);
    }
    let Some(term) = terms.pop() else { return Err(wrong("there is no array".to_owned())) };
    let kept = |label: &u32| result.contains(label);
    term.sum_all_but(kept)?.in_order(&result)
}

/// Whether the result has a label, or one of these operands.
fn is_needed<'t>(label: u32, result: &Labels, others: impl IntoIterator<Item = &'t Term>) -> bool {
    result.contains(&label) || others.into_iter().any(|term| term.place(label).is_some())
}

/// The two operands, in order, whose product takes the fewest multiplications, and of these has the fewest elements.
fn cheapest(terms: &[Term], result: &Labels) -> (usize, usize) {
    let cost = |&(left, right): &(usize, usize)| {
        let others =
            || (0..terms.len()).filter(|&other| other != left && other != right).map(|at| &terms[at]);
        let (mut multiplications, mut elements) = (1usize, 1usize);
        let right_only = terms[right].labels.iter().filter(|&&label| terms[left].place(label).is_none());
        for &label in terms[left].labels.iter().chain(right_only) {
            let extent = terms[left].extent(label).max(terms[right].extent(label));
            multiplications = multiplications.saturating_mul(extent);
            if is_needed(label, result, others()) {
                elements = elements.saturating_mul(extent);
            }
        }
        (multiplications, elements)
    };
    let pairs = (0..terms.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
    pairs.min_by_key(cost).unwrap_or_default()
}

/// Reads the letters of one operand; an ellipsis takes the axes that are left of the rank.
fn labels(text: &str, rank: Option<usize>) -> Result<Labels, String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let parts: Vec<&str> = text.split("...").collect();
    let letters = parts.iter().map(|part| part.chars().count()).sum::<usize>();
    if let Some(other) = parts.iter().flat_map(|part| part.chars()).find(|c| !c.is_ascii_alphabetic()) {
        return Err(format!("{other:?} is no letter"));
    }
    let rank = rank.unwrap_or(letters);
    let rest = match (parts.len(), rank.checked_sub(letters)) {
        (1, Some(0)) => 0,
        (2, Some(rest)) => rest,
        (1 | 2, _) => return Err(format!("{text:?} has {letters} letters, and its array {rank} axes")),
        _ => return Err("there are two ellipses in one array".to_owned()),
    };
    let mut labels: Labels = parts[0].chars().map(u32::from).collect();
    labels.extend((0..rest).rev().map(|n| ELLIPSIS + u32::try_from(n).unwrap_or(0)));
    labels.extend(parts.get(1).into_iter().flat_map(|part| part.chars()).map(u32::from));
    Ok(labels)
}

fn name(label: u32) -> String {
    char::from_u32(label)
        .filter(char::is_ascii)
        .map_or_else(|| "...".to_owned(), |letter| format!("{letter:?}"))
}

/// An array whose axes have labels, each once.
struct Term {
    array: Array,
    labels: Labels,
}

impl Term {
    /// Axes with the same letter become one, their diagonal.
    fn diagonals(mut self) -> Result<Term, Error> {
        while let Some((a, b)) = self.repeated() {
            let shape = self.array.shape()?;
            if shape[a] != shape[b] {
                let label = name(self.labels[a]);
                let what = format!("{label} is {} and {} in one array", shape[a], shape[b]);
                return Err(Error::shapes(what, &[shape], Some(b)));
            }
            let mut order: Extents = (0..shape.len()).filter(|&axis| axis != a && axis != b).collect();
            order.extend([a, b]);
            let label = self.labels[a];
            self.array = self.array.transpose(&order).diagonal(0);
            self.labels = order[..order.len() - 2].iter().map(|&axis| self.labels[axis]).collect();
            self.labels.push(label);
        }
        Ok(self)
    }

    fn repeated(&self) -> Option<(usize, usize)> {
        let labels = &self.labels;
        let pair = |b: usize| labels[..b].iter().position(|label| *label == labels[b]).map(|a| (a, b));
        (0..labels.len()).find_map(pair)
    }

    /// The axes in the order of these labels, with new axes of extent 1 for those it lacks.
    fn laid(&self, labels: &[u32]) -> Array {
        let mut order: Extents = labels.iter().filter_map(|label| self.place(*label)).collect();
        // What is not asked for comes last; callers ask for all.
        order.extend((0..self.labels.len()).filter(|&axis| !labels.contains(&self.labels[axis])));
        let mut array = self.array.transpose(&order);
        for (axis, label) in labels.iter().enumerate() {
            if self.place(*label).is_none() {
                array = array.expand(axis);
            }
        }
        array
    }

    fn place(&self, label: u32) -> Option<usize> {
        self.labels.iter().position(|own| *own == label)
    }

    /// The extent of the axis with a label; 1 if there is none.
    fn extent(&self, label: u32) -> usize {
        self.place(label).and_then(|axis| self.array.shape().ok()?.get(axis).copied()).unwrap_or(1)
    }

    /// The product with another, summed over the labels that are not needed later.
    fn times(self, other: &Term, needed: impl Fn(&u32) -> bool) -> Result<Term, Error> {
        let one_side = |own: &Term, other: &Term| -> Labels {
            own.labels.iter().copied().filter(|label| other.place(*label).is_none()).collect()
        };
        // What only one side has and nobody needs is summed before the product.
        let own_only = one_side(&self, other);
        let left = self.sum_all_but(|label| needed(label) || !own_only.contains(label))?;
        let other_only = one_side(other, &left);
        let right = Term { array: other.array.clone(), labels: other.labels.clone() }
            .sum_all_but(|label| needed(label) || !other_only.contains(label))?;
        let shared: Labels =
            left.labels.iter().copied().filter(|label| right.place(*label).is_some()).collect();
        for label in &shared {
            let extent = |term: &Term| Ok::<_, Error>(term.array.shape()?[term.place(*label).unwrap_or(0)]);
            let (l, r) = (extent(&left)?, extent(&right)?);
            // Letters are not stretched by 1 in matrices; what an ellipsis stands for is, and is not contracted.
            if l != r && l != 1 && r != 1 {
                let what = format!("{} is {l} in one array and {r} in another", name(*label));
                return Err(Error::shapes(what, &[left.array.shape()?, right.array.shape()?], None));
            }
        }
        let stretched = |label: &u32| -> bool {
            let extent =
                |term: &Term| term.place(*label).and_then(|axis| term.array.shape().ok()?.get(axis).copied());
            extent(&left) != extent(&right)
        };
        let contracted: Labels =
            shared.iter().copied().filter(|label| !needed(label) && !stretched(label)).collect();
        let batch: Labels = shared.iter().copied().filter(|label| !contracted.contains(label)).collect();
        let (rows, columns) = (one_side(&left, &right), one_side(&right, &left));
        let labels: Labels = [&batch[..], &rows[..], &columns[..]].concat().into();
        if contracted.is_empty() {
            let all: Labels = labels.clone();
            let product = left.laid(&all).multiply(right.laid(&all));
            return Ok(Term { array: product, labels: all });
        }
        let a = left.laid(&[&batch[..], &rows[..], &contracted[..]].concat());
        let b = right.laid(&[&batch[..], &contracted[..], &columns[..]].concat());
        let (a_shape, b_shape): (Extents, Extents) = (a.shape()?.into(), b.shape()?.into());
        let (before, behind) = (batch.len(), batch.len() + contracted.len());
        let count = |extents: &[usize]| extents.iter().product::<usize>();
        let row_extents = &a_shape[before..before + rows.len()];
        let depth = count(&a_shape[before + rows.len()..]);
        let column_extents = &b_shape[behind..];
        let a = a.reshape(&[&a_shape[..before], &[count(row_extents), depth]].concat());
        let b = b.reshape(&[&b_shape[..before], &[depth, count(column_extents)]].concat());
        let product = a.matmul(&b);
        let mut shape: Extents = product.shape()?[..before].into();
        shape.extend_from_slice(row_extents);
        shape.extend_from_slice(column_extents);
        Ok(Term { array: product.reshape(&shape), labels })
    }

    /// Summed over all axes but those that are kept; the element type stays.
    fn sum_all_but(self, kept: impl Fn(&u32) -> bool) -> Result<Term, Error> {
        let axes: Extents = (0..self.labels.len()).filter(|&axis| !kept(&self.labels[axis])).collect();
        if axes.is_empty() {
            return Ok(self);
        }
        let dtype = self.array.dtype()?;
        let labels = self.labels.iter().copied().filter(kept).collect();
        Ok(Term { array: self.array.sum(&axes[..], Keep::Nothing).convert(dtype), labels })
    }

    fn in_order(&self, labels: &[u32]) -> Result<Array, Error> {
        self.array.check()?;
        Ok(self.laid(labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    #[test]
    fn forms() -> Result<(), Error> {
        let x = Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let of = |text: &str, operands: &[&Array]| Array::einsum(text, operands).to_vec::<f64>();
        assert_eq!(of("ij->", &[&x])?, [21.0]);
        assert_eq!(of("ij,kj->ik", &[&x, &x])?, [14.0, 32.0, 32.0, 77.0]);
        assert_eq!(of("ij,kj", &[&x, &x])?, [14.0, 32.0, 32.0, 77.0]);
        assert_eq!(of("ij,ij->i", &[&x, &x])?, [14.0, 77.0]);
        assert_eq!(of("i,j->ji", &[&x.diagonal(0), &x.diagonal(0)])?, [1.0, 5.0, 5.0, 25.0]);
        assert_eq!(of("...j->...", &[&x])?, [6.0, 15.0]);
        assert_eq!(of("...j,j...->...", &[&x, &Array::full(&[3], 1.0, DType::F64)])?, [6.0, 15.0]);
        let square = Array::new(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(of("ii", &[&square])?, [5.0]);
        assert_eq!(of("ii->i", &[&square])?, [1.0, 4.0]);
        assert_eq!(of("ij,jk,k->i", &[&square, &square, &square.diagonal(0)])?, [47.0, 103.0]);
        assert_eq!(of("ij,jk,k->i", &[&square, &x, &Array::full(&[3], 1.0, DType::F64)])?, [36.0, 78.0]);
        Ok(())
    }

    #[test]
    fn several_operands() -> Result<(), Error> {
        let of = |text: &str, operands: &[Array]| Array::einsum(text, operands).to_vec::<f64>();
        let square = Array::new(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
        let (two, three) = (Array::new(&[2], &[1.0, 2.0]), Array::new(&[3], &[1.0, 2.0, 3.0]));
        let x = Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(of("i,j,ij->", &[two.clone(), three.clone(), x])?, [78.0]);
        let all = [square.clone(), square.clone(), square.clone(), square.diagonal(0)];
        assert_eq!(of("ij,jk,kl,l->i", &all)?, [253.0, 553.0]);
        let rows = Array::new(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(of("...i,...i,...->...", &[two.expand(0), rows, three])?, [5.0, 22.0, 51.0]);
        Ok(())
    }

    #[test]
    fn the_cheapest_product_is_the_first() -> Result<(), Error> {
        let term = |shape: &[usize], text: &str| -> Result<Term, Error> {
            let labels = labels(text, None).map_err(Error::value)?;
            Ok(Term { array: Array::zeros(shape, DType::F64), labels })
        };
        let result = labels("i", None).map_err(Error::value)?;
        let chain = [term(&[7, 7], "ij")?, term(&[7, 7], "jk")?, term(&[7], "k")?];
        assert_eq!(cheapest(&chain, &result), (1, 2));
        // As many multiplications; the least is left of the last.
        let outer = [term(&[4], "i")?, term(&[5], "j")?, term(&[4, 5], "ij")?];
        assert_eq!(cheapest(&outer, &Labels::new()), (1, 2));
        assert_eq!(cheapest(&outer[..2], &Labels::new()), (0, 1));
        Ok(())
    }

    #[test]
    fn what_is_wrong_is_said() {
        let x = Array::full(&[2, 3], 1, DType::I32);
        let error = |text: &str, of: &[&Array]| {
            Array::einsum(text, of).check().err().map_or(String::new(), |error| error.to_string())
        };
        for (text, reason) in [
            ("i->i", "\"i\" has 1 letters, and its array 2 axes"),
            ("ij->k", "'k' in the result is in no array, or there twice"),
            ("ij,j->i", "it speaks of 2 arrays, and 1 are given"),
            ("ij->ii", "'i' in the result is in no array, or there twice"),
            ("i1->i", "'1' is no letter"),
            ("ii", "'i' is 2 and 3 in one array"),
            ("......ij", "there are two ellipses in one array"),
            ("i...j...->i", "there are two ellipses in one array"),
        ] {
            let error = error(text, &[&x]);
            assert!(error.contains(reason), "{text}: {error}");
        }
        let clash = error("ij,ij->i", &[&x, &x.matrix_transpose()]);
        assert!(clash.contains("'i' is 2 in one array and 3 in another"), "{clash}");
        assert_eq!(error("", &[]), "einsum: \"\": it speaks of 1 arrays, and 0 are given");
    }
}
