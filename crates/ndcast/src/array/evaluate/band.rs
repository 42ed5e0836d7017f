//! Stages run together, block after block of their leading axes.
//!
//! A softmax takes the greatest of each row, exponentials of the row, their sum, and quotients: four stages, and each
//! needs of the others only its own row. So they are run for a few rows at a time, while these are in the cache, and
//! what only they need is never in memory as a whole. The kernels and the order in which elements are folded are the
//! same, so the result is, bit for bit.

use smallvec::SmallVec;

use super::fold::fold_order;
use super::order::{Loops, Order};
use super::program::Program;
use super::schedule::Schedule;
use crate::array::Form;
use crate::buffer::Scratch;
use crate::engine::{self, By, Fold, Out, Target, Walk, threads, try_share};
use crate::error::Error;
use crate::tensor::Tensor;

/// Stages over fewer bytes than this stay in the cache in any case.
const LARGE: usize = 1 << 20;
/// So many stages are looked at: in a long program all that follow may have axes in common.
const MOST: usize = 16;

/// The bytes that one block of all stages goes over.
const BLOCK: usize = 1 << 20;

/// The bytes of the smallest block that another thread is asked to do.
const LEAST: usize = 256 << 10;

/// One stage of a band.
struct Member<'s> {
    place: usize,
    program: Program<'s>,
    /// The loops of the whole stage.
    loops: Loops,
    /// The fold and the axes it goes along, if it is one.
    fold: Option<(Fold, SmallVec<[usize; 6]>)>,
    /// The bytes of an element of its result.
    size: usize,
    /// The elements of its result for each step of the leading axes.
    each: usize,
    /// Whether only the band needs its result.
    inner: bool,
}

/// Runs the band that begins with this stage; how many stages that were, none if there is no band.
pub(super) fn run(schedule: &mut Schedule, first: usize) -> Result<usize, Error> {
    let places = candidates(schedule, first);
    if places.len() < 2 {
        return Ok(0);
    }
    let Some((members, leading)) = planned(schedule, &places) else { return Ok(0) };
    let count = members.len();
    let mut results: Vec<(usize, Tensor)> = vec![];
    for member in &members {
        let node = schedule.items[member.place].array.node();
        if member.inner {
            node.pass();
            continue;
        }
        results.push((member.place, Tensor::uninitialised(node.shape(), node.dtype())?));
    }
    blocks(&members, &leading, &mut results)?;
    drop(members);
    for (place, tensor) in results {
        schedule.fill(place, &Ok(tensor));
    }
    Ok(count)
}

/// The loops of a stage that can be in a band, and the axes that it folds.
fn loops(schedule: &Schedule, place: usize) -> Option<(Loops, SmallVec<[usize; 6]>)> {
    let item = &schedule.items[place];
    let shape = |place: usize| -> Loops { schedule.items[place].array.node().shape().into() };
    match &item.form {
        // A fold of nothing is another thing.
        Some(Form::Reduce(_, axes)) if !shape(item.arguments[0]).contains(&0) => {
            Some((shape(item.arguments[0]), axes.clone()))
        }
        Some(Form::Apply(..) | Form::Convert(_)) => Some((shape(place), SmallVec::new())),
        _ => None,
    }
}

/// The consecutive stages, from one on, that share leading axes; none if fewer than two are large: then no large result is
/// saved, and none is read twice.
fn candidates(schedule: &Schedule, first: usize) -> Vec<usize> {
    let mut places = vec![];
    let mut bytes: SmallVec<[usize; MOST]> = SmallVec::new();
    let mut common: Option<Loops> = None;
    let mut next = Some(first);
    while let Some(place) = next.filter(|_| places.len() < MOST) {
        let Some((loops, axes)) = loops(schedule, place) else { break };
        let most = axes.first().copied().unwrap_or(loops.len());
        let leading = match &common {
            None => loops[..most].into(),
            Some(common) => same(common, &loops[..most]),
        };
        if leading.is_empty() {
            break;
        }
        let size = schedule.items[place].array.node().dtype().size().unwrap_or(1);
        bytes.push(loops.iter().product::<usize>().saturating_mul(size));
        common = Some(leading);
        places.push(place);
        next = schedule.stored_after(place);
    }
    let whole = bytes.iter().copied().max().unwrap_or(0);
    let large = bytes.iter().filter(|&&bytes| bytes >= whole / 8).count();
    if whole >= LARGE && large > 1 { places } else { vec![] }
}

/// The common prefix of two shapes.
fn same(one: &[usize], two: &[usize]) -> Loops {
    one.iter().zip(two).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect()
}

/// The programs of a band's stages, and its leading axes; nothing if it is not worth while, or if one needs more of
/// another than its own block.
fn planned<'s>(schedule: &'s Schedule, places: &[usize]) -> Option<(Vec<Member<'s>>, Loops)> {
    // The leading axes are those of all stages; one that folds them, or has others, ends the band before it.
    let mut leading: Option<Loops> = None;
    let mut members: Vec<Member<'_>> = vec![];
    for &place in places {
        let (loops, axes) = loops(schedule, place)?;
        let most = axes.first().copied().unwrap_or(loops.len());
        leading =
            Some(leading.map_or_else(|| loops[..most].into(), |leading| same(&leading, &loops[..most])));
        let inner = !schedule.is_wanted(place) && schedule.readers(place).iter().all(|r| places.contains(r));
        let windows: Vec<usize> = members.iter().filter(|m| m.inner).map(|m| m.place).collect();
        let rank = loops.len();
        let as_it_is = (0..rank).map(Some).collect();
        let mut program = Program::with_windows(schedule, loops.clone(), &windows);
        let item = &schedule.items[place];
        let dtype = item.array.node().dtype();
        let fold = match &item.form {
            Some(Form::Reduce(reduction, axes)) => {
                let value = program.item(item.arguments[0], &as_it_is).ok()?;
                Some((program.end_folded(value, *reduction)?, axes.clone()))
            }
            _ => {
                let value = program.root(place, &as_it_is).ok()?;
                program.end(value);
                None
            }
        };
        let size = dtype.size()?;
        members.push(Member { place, program, loops, fold, size, each: 0, inner });
    }
    let mut leading = leading?;
    // Only those leading axes that map to themselves in every window.
    for axes in members.iter().flat_map(|member| member.program.window_axes()) {
        let straight = axes.iter().enumerate().take_while(|(axis, own)| **own == Some(*axis)).count();
        leading.truncate(straight);
        if axes[leading.len()..].iter().flatten().any(|&own| own < leading.len()) {
            return None;
        }
    }
    let steps: usize = leading.iter().product();
    let mut whole = 0;
    for member in &mut members {
        let elements: usize = schedule.items[member.place].array.node().shape().iter().product();
        member.each = elements.checked_div(steps)?;
        whole = whole.max(member.loops.iter().product::<usize>() * member.size);
    }
    let worth = members.iter().any(|member| member.inner) && whole / steps <= 2 * BLOCK;
    (worth && steps > 1).then_some((members, leading))
}

/// Runs all stages for one block after another.
fn blocks(members: &[Member<'_>], leading: &[usize], results: &mut [(usize, Tensor)]) -> Result<(), Error> {
    let (Some(&last), steps) = (leading.last(), leading.iter().product::<usize>()) else { return Ok(()) };
    let height = height(members, steps).clamp(1, last);
    let in_row = last.div_ceil(height);
    let mut targets: Vec<(usize, usize, Target<'_>)> = vec![];
    for (place, tensor) in results.iter_mut() {
        if let Some(memory) = tensor.memory_mut() {
            targets.push((*place, memory.len(), Target::new(memory)));
        }
    }
    try_share(steps / last * in_row, |claim| {
        let room = |m: &Member<'_>| Scratch::take(if m.inner { m.each * height * m.size } else { 0 });
        let mut windows: Vec<Option<Scratch>> =
            members.iter().map(|m| room(m).map(Some)).collect::<Result<_, _>>()?;
        while let Some(block) = claim.next() {
            let (outer, from) = (block / in_row, block % in_row * height);
            let (starts, height) = (starts(leading, outer, from), height.min(last - from));
            for (number, member) in members.iter().enumerate() {
                let target = targets.iter().find(|target| target.0 == member.place);
                let (first, count) = ((outer * last + from) * member.each, height * member.each);
                let mut window = windows[number].take();
                let to = match (&mut window, target) {
                    (_, Some((_, _, target))) => {
                        // SAFETY: each block of a result is one part's, which one thread has.
                        #[allow(unsafe_code, reason = "see there")]
                        unsafe {
                            target.part(first * member.size..(first + count) * member.size)
                        }
                    }
                    (Some(window), None) => &mut window.bytes_mut()[..count * member.size],
                    (None, None) => continue,
                };
                let read: SmallVec<[(usize, &[u8]); 4]> = members
                    .iter()
                    .zip(&windows)
                    .filter_map(|(m, window)| window.as_ref().map(|window| (m.place, window.bytes())))
                    .collect();
                member.run(&starts, height, &read, to, target.map_or(0, |target| target.1))?;
                drop(read);
                windows[number] = window;
            }
        }
        Ok(())
    })
}

/// How many of so many steps a block has.
fn height(members: &[Member<'_>], steps: usize) -> usize {
    // What they write, and what the largest of them reads; what the others read is that, or was written before.
    let written: usize = members.iter().map(|m| m.each * m.size).sum();
    let read = members.iter().map(|m| m.loops.iter().product::<usize>() / steps * m.size).max().unwrap_or(0);
    let bytes = (written + read).max(1);
    // Fewer rows where there would not be blocks for all threads, unless those were very small.
    let shared = steps.div_ceil(2 * threads::threads()).max(LEAST / bytes);
    (BLOCK / bytes).min(shared)
}

/// Where on each leading axis a block begins: at this step of the last, of this row of the others.
fn starts(leading: &[usize], mut outer: usize, from: usize) -> Loops {
    let mut starts: Loops = leading.into();
    for (start, &extent) in starts.iter_mut().zip(leading).rev().skip(1) {
        *start = outer % extent;
        outer /= extent;
    }
    if let Some(start) = starts.last_mut() {
        *start = from;
    }
    starts
}

impl Member<'_> {
    /// Runs one block: of so many steps of the last leading axis, from these on.
    fn run(
        &self,
        starts: &[usize],
        height: usize,
        windows: &[(usize, &[u8])],
        to: &mut [u8],
        whole: usize,
    ) -> Result<(), Error> {
        let mut loops = self.loops.clone();
        loops[..starts.len()].fill(1);
        loops[starts.len() - 1] = height;
        let (order, extents) = match &self.fold {
            Some((_, axes)) => {
                let (extents, order) = fold_order(&loops, axes);
                (order, Some(extents))
            }
            None => (Order::of(0..loops.len()), None),
        };
        let mut job = self.program.job_of(&order, &loops, starts, windows);
        job.by = By::Caller;
        match (&self.fold, extents) {
            (Some((fold, _)), Some(extents)) => engine::reduce(&job, extents, *fold, to)?,
            _ => {
                let walk = Walk::new([job.elements].into_iter(), [1].into_iter(), 0);
                engine::map(&job, Out { bytes: to, size: self.size, walk, whole })?;
            }
        }
        Ok(())
    }
}
