//! Operations with regions, and those that are only written in the generic form.

use super::{Text, list, names, typed_names, types};
use crate::error::Error;
use crate::format::program::write::{GatherLies, Named, Region, ScatterLies, Step, commas};

/// An operation in the generic form, with what stands between its operands and its type.
pub(super) fn form(step: &Step<'_>, middle: &str) -> Result<String, Error> {
    let operands = step.operands.iter().copied();
    let (all, result) = (types(operands.clone().map(|operand| &operand.typed))?, types(step.types)?);
    let dialect = if step.name.starts_with("chlo.") { "" } else { "stablehlo." };
    let names = names(operands);
    Ok(format!("%{} = \"{dialect}{}\"({names}){middle} : ({all}) -> {result}", step.result, step.name))
}

/// The lines of a region, the last of which returns.
fn body(text: &mut Text, region: &Region, indent: &str, returns: &str) -> Result<String, Error> {
    let lines: String = region.lines(text)?.iter().map(|line| format!("{indent}{line}\n")).collect();
    let results = region.results();
    let types = types(results.iter().map(|result| &result.typed))?;
    Ok(format!("{lines}{indent}{returns} {} : {types}\n", names(results)))
}

/// `({ ^bb0(..): .. })`.
fn block(text: &mut Text, region: &Region) -> Result<String, Error> {
    let arguments = typed_names(region.arguments())?;
    let body = body(text, region, "      ", "stablehlo.return")?;
    Ok(format!("({{\n    ^bb0({arguments}):\n{body}    }})"))
}

/// A region as a function beside the main one.
pub(super) fn function(text: &mut Text, name: &str, region: &Region) -> Result<String, Error> {
    let arguments = typed_names(region.arguments())?;
    let results = types(region.results().iter().map(|result| &result.typed))?;
    let body = body(text, region, "    ", "return")?;
    Ok(format!("  func.func private @{name}({arguments}) -> {results} {{\n{body}  }}\n"))
}

/// `reduce(%x init: %i)`, with the operation if it is one, else with the region.
pub(super) fn reduce(
    text: &mut Text,
    step: &Step<'_>,
    axes: &[usize],
    region: &Region,
) -> Result<String, Error> {
    let count = step.operands.len() / 2;
    let (operands, first) = step.operands.split_at(count);
    let pairs = operands.iter().zip(first);
    let pairs = commas(pairs.map(|(operand, init)| format!("(%{} init: %{})", operand.name, init.name)));
    let all = types(step.operands.iter().map(|operand| &operand.typed))?;
    let (axes, results) = (list(axes), types(step.types)?);
    let head = format!("stablehlo.reduce{pairs}");
    if let Some(opcode) = region.opcode() {
        return Ok(format!(
            "%{} = {head} applies stablehlo.{opcode} across dimensions = {axes} : ({all}) -> {results}",
            step.result
        ));
    }
    // Of each operand what was folded so far and what comes next.
    let (before, next) = region.arguments().split_at(count);
    let pair = |(before, next): (&Named, &Named)| Ok(format!("({})", typed_names([before, next])?));
    let arguments = before.iter().zip(next).map(pair).collect::<Result<Vec<_>, Error>>()?;
    let body = body(text, region, "      ", "stablehlo.return")?;
    Ok(format!(
        "%{}:{} = {head} across dimensions = {axes} : ({all}) -> ({results})\n     reducer{}  {{\n{body}    }}",
        step.result,
        step.types.len(),
        arguments.join(" "),
    ))
}

pub(super) fn sort(text: &mut Text, step: &Step<'_>, axis: usize, region: &Region) -> Result<String, Error> {
    let operands = names(step.operands.iter().copied());
    let all = types(step.operands.iter().map(|operand| &operand.typed))?;
    Ok(format!(
        "%{}:{} = \"stablehlo.sort\"({operands}) <{{dimension = {axis} : i64, is_stable = true}}> {} : ({all}) -> ({})",
        step.result,
        step.types.len(),
        block(text, region)?,
        types(step.types)?,
    ))
}

pub(super) fn window(
    text: &mut Text,
    step: &Step<'_>,
    sizes: &[usize],
    padding: &[[i64; 2]],
    region: &Region,
) -> Result<String, Error> {
    let ones = commas(vec![1; sizes.len()]);
    let rank = sizes.len();
    let padding = list(padding.iter().map(list));
    let sizes = commas(sizes);
    let middle = format!(
        " <{{base_dilations = array<i64: {ones}>, padding = dense<{padding}> : tensor<{rank}x2xi64>, \
         window_dilations = array<i64: {ones}>, window_dimensions = array<i64: {sizes}>, \
         window_strides = array<i64: {ones}>}}> {}",
        block(text, region)?
    );
    form(step, &middle)
}

pub(super) fn gather(step: &Step<'_>, lies: &GatherLies, sizes: Option<&[usize]>) -> Result<String, Error> {
    let GatherLies { offset, axis, batch, vector } = lies;
    let mut fields = vec![format!("collapsed_slice_dims = [{axis}]")];
    if !offset.is_empty() {
        fields.insert(0, format!("offset_dims = {}", list(offset)));
    }
    if !batch.is_empty() {
        let batch = list(batch);
        fields.push(format!("operand_batching_dims = {batch}, start_indices_batching_dims = {batch}"));
    }
    fields.push(format!("start_index_map = [{axis}], index_vector_dim = {vector}"));
    let fields = fields.join(", ");
    let sizes = sizes.map(|sizes| format!(", slice_sizes = array<i64: {}>", commas(sizes)));
    form(
        step,
        &format!(" <{{dimension_numbers = #stablehlo.gather<{fields}>{}}}>", sizes.unwrap_or_default()),
    )
}

pub(super) fn scatter(
    text: &mut Text,
    step: &Step<'_>,
    lies: &ScatterLies,
    region: &Region,
) -> Result<String, Error> {
    let ScatterLies { axis, batch, vector } = lies;
    let batching = match batch.is_empty() {
        true => String::new(),
        false => {
            let batch = list(batch);
            format!("input_batching_dims = {batch}, scatter_indices_batching_dims = {batch}, ")
        }
    };
    let middle = format!(
        " <{{indices_are_sorted = false, scatter_dimension_numbers = \
         #stablehlo.scatter<inserted_window_dims = [{axis}], {batching}scatter_dims_to_operand_dims = [{axis}], \
         index_vector_dim = {vector}>, unique_indices = false}}> {}",
        block(text, region)?
    );
    form(step, &middle)
}
