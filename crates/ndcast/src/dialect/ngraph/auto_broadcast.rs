//! How nGraph's elementwise operations broadcast implicitly.

use std::str::FromStr;

use crate::error::Error;

/// Whose rules are followed. nGraph's `EXPLICIT` is `NONE`, and its `DEFAULT` is `NUMPY`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoBroadcastType {
    /// The shapes are equal.
    #[default]
    None,
    /// NumPy's.
    Numpy,
    /// PaddlePaddle's: from an axis on.
    Pdpd,
}

/// The rules and, for PDPD, the axis of the first argument on which the second begins.
///
/// ```
/// use ndcast::dialect::ngraph::{AutoBroadcastSpec, AutoBroadcastType};
/// assert_eq!(AutoBroadcastSpec::default(), AutoBroadcastSpec::from(AutoBroadcastType::None));
/// assert_eq!("NUMPY".parse::<AutoBroadcastSpec>()?.broadcast_type, AutoBroadcastType::Numpy);
/// assert_eq!("EXPLICIT".parse::<AutoBroadcastSpec>()?, AutoBroadcastSpec::default());
/// assert!("numpy".parse::<AutoBroadcastSpec>().is_err());
/// # Ok::<(), ndcast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoBroadcastSpec {
    /// Whose rules.
    pub broadcast_type: AutoBroadcastType,
    /// The axis of PDPD; -1 is last axis on last axis.
    pub axis: i64,
}

impl AutoBroadcastSpec {
    /// PDPD from this axis on.
    pub fn pdpd(axis: i64) -> AutoBroadcastSpec {
        AutoBroadcastSpec { broadcast_type: AutoBroadcastType::Pdpd, axis }
    }
}

impl From<AutoBroadcastType> for AutoBroadcastSpec {
    fn from(broadcast_type: AutoBroadcastType) -> AutoBroadcastSpec {
        AutoBroadcastSpec { broadcast_type, axis: 0 }
    }
}

impl FromStr for AutoBroadcastSpec {
    type Err = Error;

    /// In capitals, as nGraph writes it.
    fn from_str(text: &str) -> Result<AutoBroadcastSpec, Error> {
        let broadcast_type = match text {
            "NONE" | "EXPLICIT" => AutoBroadcastType::None,
            "NUMPY" => AutoBroadcastType::Numpy,
            "PDPD" => AutoBroadcastType::Pdpd,
            _ => {
                let text = format!("\"{text}\" is none of NONE, EXPLICIT, NUMPY, PDPD");
                return Err(Error::value(text));
            }
        };
        Ok(broadcast_type.into())
    }
}
