//! The element types: one list, from which everything about them is read.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use ndcast_shape::explain::Element;

/// What a list of element types holds about each: its width, and what the dialects call it.
#[derive(Clone, Copy, Debug)]
struct Record {
    dtype: DType,
    /// The common name, which is OpenVINO's but for the complex types.
    name: &'static str,
    class: Class,
    role: Role,
    /// Bits of one element in a file; `None` if elements differ.
    bits: Option<u32>,
    numpy: Option<&'static str>,
    stablehlo: Option<&'static str>,
    hlo: Option<&'static str>,
}

/// What kind of thing an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// True or false.
    Bool,
    /// An integer that may be negative.
    Signed,
    /// An integer from 0 on.
    Unsigned,
    /// A real number.
    Float,
    /// A complex number.
    Complex,
    /// Text.
    Text,
}

/// What can be done with elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Arithmetic, as far as the class has it.
    Computes,
    /// They are moved, converted, read and written.
    Carried,
}

/// Makes the enum and the list from the same lines, so that neither can lack one.
macro_rules! dtypes {
    ($($(#[$doc:meta])* $dtype:ident $name:literal $class:ident $use:ident $bits:expr, $numpy:expr, $stablehlo:expr, $hlo:expr;)*) => {
        /// The type of an array's elements.
        ///
        /// ```
        /// use ndcast::DType;
        /// let dtype: DType = "float32".parse()?;
        /// assert_eq!((dtype, dtype.bits(), dtype.to_string()), (DType::F32, Some(32), "f32".to_owned()));
        /// # Ok::<(), ndcast::dtype::UnknownDType>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DType {
            $($(#[$doc])* $dtype,)*
        }

        const RECORDS: &[Record] = &[$(Record {
            dtype: DType::$dtype,
            name: $name,
            class: Class::$class,
            role: Role::$use,
            bits: $bits,
            numpy: $numpy,
            stablehlo: $stablehlo,
            hlo: $hlo,
        },)*];
    };
}

dtypes! {
    /// True or false, a byte each.
    Bool "bool" Bool Computes Some(8), Some("bool"), Some("i1"), Some("pred");
    /// Signed, 8 bits.
    I8 "i8" Signed Computes Some(8), Some("int8"), Some("i8"), Some("s8");
    /// Signed, 16 bits.
    I16 "i16" Signed Computes Some(16), Some("int16"), Some("i16"), Some("s16");
    /// Signed, 32 bits.
    I32 "i32" Signed Computes Some(32), Some("int32"), Some("i32"), Some("s32");
    /// Signed, 64 bits.
    I64 "i64" Signed Computes Some(64), Some("int64"), Some("i64"), Some("s64");
    /// Unsigned, 8 bits.
    U8 "u8" Unsigned Computes Some(8), Some("uint8"), Some("ui8"), Some("u8");
    /// Unsigned, 16 bits.
    U16 "u16" Unsigned Computes Some(16), Some("uint16"), Some("ui16"), Some("u16");
    /// Unsigned, 32 bits.
    U32 "u32" Unsigned Computes Some(32), Some("uint32"), Some("ui32"), Some("u32");
    /// Unsigned, 64 bits.
    U64 "u64" Unsigned Computes Some(64), Some("uint64"), Some("ui64"), Some("u64");
    /// IEEE half precision.
    F16 "f16" Float Computes Some(16), Some("float16"), Some("f16"), Some("f16");
    /// The upper half of an f32.
    Bf16 "bf16" Float Computes Some(16), Some("bfloat16"), Some("bf16"), Some("bf16");
    /// IEEE single precision.
    F32 "f32" Float Computes Some(32), Some("float32"), Some("f32"), Some("f32");
    /// IEEE double precision.
    F64 "f64" Float Computes Some(64), Some("float64"), Some("f64"), Some("f64");
    /// Two f32.
    C64 "c64" Complex Computes Some(64), Some("complex64"), Some("complex<f32>"), Some("c64");
    /// Two f64.
    C128 "c128" Complex Computes Some(128), Some("complex128"), Some("complex<f64>"), Some("c128");
    /// 8-bit float, 4 bits of exponent, no infinities.
    F8E4M3 "f8e4m3" Float Carried Some(8), Some("float8_e4m3fn"), Some("f8E4M3FN"), Some("f8e4m3fn");
    /// 8-bit float, 5 bits of exponent.
    F8E5M2 "f8e5m2" Float Carried Some(8), Some("float8_e5m2"), Some("f8E5M2"), Some("f8e5m2");
    /// 8-bit power of two.
    F8E8M0 "f8e8m0" Float Carried Some(8), Some("float8_e8m0fnu"), Some("f8E8M0FNU"), Some("f8e8m0fnu");
    /// 4-bit float.
    F4E2M1 "f4e2m1" Float Carried Some(4), Some("float4_e2m1fn"), Some("f4E2M1FN"), Some("f4e2m1fn");
    /// 4-bit normal float, an index into a table.
    Nf4 "nf4" Float Carried Some(4), None, None, None;
    /// Signed, 4 bits.
    I4 "i4" Signed Carried Some(4), Some("int4"), Some("i4"), Some("s4");
    /// Unsigned, 4 bits.
    U4 "u4" Unsigned Carried Some(4), Some("uint4"), Some("ui4"), Some("u4");
    /// Signed, 2 bits.
    I2 "i2" Signed Carried Some(2), Some("int2"), Some("i2"), Some("s2");
    /// Unsigned, 2 bits.
    U2 "u2" Unsigned Carried Some(2), Some("uint2"), Some("ui2"), Some("u2");
    /// Unsigned, 1 bit.
    U1 "u1" Unsigned Carried Some(1), None, None, None;
    /// Unsigned, 3 bits.
    U3 "u3" Unsigned Carried Some(3), None, None, None;
    /// Unsigned, 6 bits.
    U6 "u6" Unsigned Carried Some(6), None, None, None;
    /// Text of any length.
    String "string" Text Carried None, None, None, None;
}

impl DType {
    /// Every element type.
    pub fn all() -> impl ExactSizeIterator<Item = DType> {
        RECORDS.iter().map(|record| record.dtype)
    }

    fn record(self) -> &'static Record {
        // The list is made from the enum's own lines, so the variant's number is its place.
        &RECORDS[self as usize]
    }

    /// The bits of one element in a file; `None` for strings.
    pub fn bits(self) -> Option<u32> {
        self.record().bits
    }

    /// The integers that it holds, from the least to the greatest; `None` for what is no type of integers.
    ///
    /// ```
    /// use ndcast::DType;
    /// assert_eq!(DType::I8.integers(), Some(-128..=127));
    /// assert_eq!(DType::U4.integers(), Some(0..=15));
    /// assert_eq!(DType::F32.integers(), None);
    /// ```
    pub fn integers(self) -> Option<RangeInclusive<i128>> {
        let bits = self.bits()?;
        match self.class() {
            Class::Signed => Some(-(1 << (bits - 1))..=(1 << (bits - 1)) - 1),
            Class::Unsigned => Some(0..=(1 << bits) - 1),
            _ => None,
        }
    }

    /// What kind of thing an element is.
    pub fn class(self) -> Class {
        self.record().class
    }

    /// Whether its elements are integers, with a sign or without; truth values are none.
    ///
    /// ```
    /// use ndcast::DType;
    /// assert!(DType::U8.is_integer() && !DType::Bool.is_integer() && !DType::F32.is_integer());
    /// ```
    pub fn is_integer(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// Whether there is arithmetic on it; the others are only moved, converted, read and written.
    pub fn computes(self) -> bool {
        self.record().role == Role::Computes
    }

    /// The bytes of one element in memory, where types of less than a byte are unpacked; `None` for strings.
    pub fn size(self) -> Option<usize> {
        self.bits().and_then(|bits| usize::try_from(bits.div_ceil(8)).ok())
    }

    /// The type that is computed in for elements of this one: f32 for f16 and bf16, itself for the others.
    pub(crate) fn computed_in(self) -> DType {
        if matches!(self, DType::F16 | DType::Bf16) { DType::F32 } else { self }
    }

    /// The type of a complex number's two parts; itself for another type.
    pub fn part(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The complex type whose parts have this type.
    pub fn pair(self) -> Option<DType> {
        DType::all().find(|dtype| *dtype != self && dtype.part() == self)
    }

    /// What NumPy calls it, or `ml_dtypes`, which adds types to NumPy.
    pub fn numpy_name(self) -> Option<&'static str> {
        self.record().numpy
    }

    /// Its common name, or NumPy's, if it has one.
    pub(crate) fn called(self, is_numpy: bool) -> &'static str {
        let record = self.record();
        record.numpy.filter(|_| is_numpy).unwrap_or(record.name)
    }

    /// What an explanation says of it.
    pub fn element(self) -> Element {
        let Record { name, bits, stablehlo, hlo, .. } = *self.record();
        Element { name, bits, stablehlo, hlo }
    }
}

/// Its common name; with `{:#}` NumPy's, if it has one.
impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.called(f.alternate()))
    }
}

/// No dialect calls an element type so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDType(pub String);

impl fmt::Display for UnknownDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = RECORDS.iter().map(|record| record.name).collect();
        write!(f, "there is no element type {:?}; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownDType {}

impl FromStr for DType {
    type Err = UnknownDType;

    /// By its common name, or NumPy's.
    fn from_str(name: &str) -> Result<DType, UnknownDType> {
        let called = |record: &&Record| record.name == name || record.numpy == Some(name);
        RECORDS.iter().find(called).map(|r| r.dtype).ok_or_else(|| UnknownDType(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_by_its_names() {
        for dtype in DType::all() {
            assert_eq!(dtype.to_string().parse(), Ok(dtype));
            assert_eq!(format!("{dtype:#}"), dtype.numpy_name().unwrap_or(dtype.record().name));
            assert_eq!(dtype.record().dtype, dtype);
            if let Some(numpy) = dtype.record().numpy {
                assert_eq!(numpy.parse(), Ok(dtype));
            }
        }
        assert!("float".parse::<DType>().unwrap_err().to_string().contains("f32"));
    }
}
