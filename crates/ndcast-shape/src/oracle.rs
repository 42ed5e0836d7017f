//! The definitions, as naive loops over coordinates: what the fast paths are tested against.
//!
//! Nothing here knows plans, strides or partial shapes, and nothing but tests should call it.

/// The algorithm of the Array API's broadcasting page for two shapes, step by step.
///
/// ```
/// assert_eq!(ndcast_shape::oracle::join(&[8, 1, 6, 1], &[7, 1, 5]), Some(vec![8, 7, 6, 5]));
/// assert_eq!(ndcast_shape::oracle::join(&[15, 3, 5], &[15, 3]), None);
/// ```
pub fn join(shape1: &[usize], shape2: &[usize]) -> Option<Vec<usize>> {
    let (n1, n2) = (shape1.len(), shape2.len());
    let n = n1.max(n2);
    let mut shape = vec![0; n];
    for i in (0..n).rev() {
        let d1 = if n1 + i >= n { shape1[n1 + i - n] } else { 1 };
        let d2 = if n2 + i >= n { shape2[n2 + i - n] } else { 1 };
        shape[i] = match (d1, d2) {
            (1, _) => d2,
            (_, 1) => d1,
            _ if d1 == d2 => d1,
            _ => return None,
        };
    }
    Some(shape)
}

/// For each element of the result, in order, which element of the operand it is: the operand's axis `i` lies
/// on axis `map[i]` of the result, and an axis of extent 1 is read at 0 wherever the result is.
///
/// `None` if an extent is neither 1 nor that of the axis it lies on.
///
/// ```
/// assert_eq!(ndcast_shape::oracle::gather(&[3], &[2, 3], &[1]), Some(vec![0, 1, 2, 0, 1, 2]));
/// assert_eq!(ndcast_shape::oracle::gather(&[2], &[2, 3], &[1]), None);
/// ```
pub fn gather(operand: &[usize], result: &[usize], map: &[usize]) -> Option<Vec<usize>> {
    if operand.iter().zip(map).any(|(&extent, &to)| extent != 1 && extent != result[to]) {
        return None;
    }
    let read = |coordinate: &[usize]| {
        operand.iter().zip(map).fold(0, |position, (&extent, &to)| {
            position * extent + if extent == 1 { 0 } else { coordinate[to] }
        })
    };
    Some(coordinates(result).iter().map(|coordinate| read(coordinate)).collect())
}

/// All coordinates of a shape, the last axis fastest.
pub fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &extent in shape {
        all = all.iter().flat_map(|c| (0..extent).map(move |i| [&c[..], &[i]].concat())).collect();
    }
    all
}
