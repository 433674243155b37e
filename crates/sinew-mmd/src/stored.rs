//! Fields of records, listed once in the order of the file: for reading, writing and the minimum size.

use crate::bytes::Bytes;
use crate::pmx::{IndexKind, IndexSizes};
use crate::sink::Sink;
use crate::vmd::{BoneCurves, CameraCurves};
use crate::{FixedText, MmdText, Result};

/// A value of fixed size.
pub(crate) trait Plain: Copy {
    const BYTES: usize;
    /// Decodes the first of `bytes`, which must be enough.
    fn of_bytes(bytes: &[u8]) -> Self;
    fn add_to(self, out: &mut Vec<u8>);
}

macro_rules! plain_numbers {
    ($($number:ty)*) => {$(
        impl Plain for $number {
            const BYTES: usize = size_of::<Self>();

            #[inline]
            fn of_bytes(bytes: &[u8]) -> Self {
                let (&bytes, _) = bytes.split_first_chunk().expect("there are enough bytes");
                Self::from_le_bytes(bytes)
            }

            #[inline]
            fn add_to(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

plain_numbers!(u8 i8 u16 i16 u32 i32 f32);

impl<T: Plain, const N: usize> Plain for [T; N] {
    const BYTES: usize = N * T::BYTES;

    #[inline]
    fn of_bytes(bytes: &[u8]) -> Self {
        std::array::from_fn(|at| T::of_bytes(&bytes[at * T::BYTES..]))
    }

    #[inline]
    fn add_to(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|value| value.add_to(out));
    }
}

macro_rules! plain_bytes {
    ($($wrapper:ty $(, $size:ident)?;)*) => {$(
        impl$(<const $size: usize>)? Plain for $wrapper {
            const BYTES: usize = size_of::<Self>();

            fn of_bytes(bytes: &[u8]) -> Self {
                Self { bytes: Plain::of_bytes(bytes) }
            }

            fn add_to(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.bytes);
            }
        }
    )*};
}

plain_bytes!(FixedText<N>, N; BoneCurves; CameraCurves;);

/// A field of a record. `W` describes how it is stored, and names it in errors.
pub(crate) trait Stored<W>: Sized {
    /// Minimum size in bytes.
    fn least_bytes(words: W, sizes: &IndexSizes) -> u64;
    fn read(source: &mut Bytes<'_>, words: W) -> Result<Self>;
    fn write(&self, sink: &mut Sink, words: W);
}

impl<T: Plain> Stored<&'static str> for T {
    fn least_bytes(_: &'static str, _: &IndexSizes) -> u64 {
        T::BYTES as u64
    }

    #[inline]
    fn read(source: &mut Bytes<'_>, field: &'static str) -> Result<Self> {
        source.get(field)
    }

    #[inline]
    fn write(&self, sink: &mut Sink, _: &'static str) {
        sink.put(*self);
    }
}

impl Stored<&'static str> for MmdText {
    fn least_bytes(_: &'static str, _: &IndexSizes) -> u64 {
        i32::BYTES as u64
    }

    fn read(source: &mut Bytes<'_>, field: &'static str) -> Result<Self> {
        source.text(field)
    }

    fn write(&self, sink: &mut Sink, _: &'static str) {
        sink.text(self);
    }
}

/// An index with the size given in the file's header.
#[derive(Clone, Copy)]
pub(crate) struct Index(pub(crate) IndexKind, pub(crate) &'static str);

macro_rules! stored_indices {
    ($($index:ty, $half:ty, $byte:ty;)*) => {$(
        impl Stored<Index> for $index {
            fn least_bytes(Index(kind, _): Index, sizes: &IndexSizes) -> u64 {
                sizes.of(kind).into()
            }

            fn read(source: &mut Bytes<'_>, Index(kind, field): Index) -> Result<Self> {
                Ok(match source.sizes.of(kind) {
                    1 => source.get::<$byte>(field)?.into(),
                    2 => source.get::<$half>(field)?.into(),
                    _ => source.get(field)?,
                })
            }

            #[inline]
            fn write(&self, sink: &mut Sink, Index(kind, _): Index) {
                let size = sink.sizes.of(kind);
                match size {
                    1 => sink.put(*self as $byte),
                    2 => sink.put(*self as $half),
                    _ => sink.put(*self),
                }
                sink.misfits[kind as usize] |= (size == 1 && <$byte>::try_from(*self).is_err())
                    || (size == 2 && <$half>::try_from(*self).is_err());
            }
        }
    )*};
}

// Those of vertices are unsigned; all others may be −1.
stored_indices!(i32, i16, i8; u32, u16, u8;);

/// Consecutive values, each with its own name.
impl<T: Stored<W>, W: Copy, const N: usize> Stored<[W; N]> for [T; N] {
    fn least_bytes(words: [W; N], sizes: &IndexSizes) -> u64 {
        words.into_iter().map(|words| T::least_bytes(words, sizes)).sum()
    }

    fn read(source: &mut Bytes<'_>, words: [W; N]) -> Result<Self> {
        let read: Vec<T> = words.into_iter().map(|words| T::read(source, words)).collect::<Result<_, _>>()?;
        Ok(Self::try_from(read).unwrap_or_else(|_| unreachable!("one was read for each of the words")))
    }

    fn write(&self, sink: &mut Sink, words: [W; N]) {
        self.iter().zip(words).for_each(|(value, words)| value.write(sink, words));
    }
}

macro_rules! stored_tuples {
    ($(($($value:ident $words:ident $at:tt),*))*) => {$(
        impl<$($value: Stored<$words>, $words),*> Stored<($($words,)*)> for ($($value,)*) {
            fn least_bytes(words: ($($words,)*), sizes: &IndexSizes) -> u64 {
                [$($value::least_bytes(words.$at, sizes)),*].iter().sum()
            }

            fn read(source: &mut Bytes<'_>, words: ($($words,)*)) -> Result<Self> {
                Ok(($($value::read(source, words.$at)?,)*))
            }

            fn write(&self, sink: &mut Sink, words: ($($words,)*)) {
                $(self.$at.write(sink, words.$at);)*
            }
        }
    )*};
}

stored_tuples!((A V 0, B W 1) (A V 0, B W 1, C X 2));

/// An optional value; fields before it decide whether it exists.
#[derive(Clone, Copy)]
pub(crate) struct When<W>(pub(crate) bool, pub(crate) W);

impl<T: Stored<W>, W> Stored<When<W>> for Option<T> {
    fn least_bytes(_: When<W>, _: &IndexSizes) -> u64 {
        0
    }

    fn read(source: &mut Bytes<'_>, When(is_there, words): When<W>) -> Result<Self> {
        is_there.then(|| T::read(source, words)).transpose()
    }

    fn write(&self, sink: &mut Sink, When(_, words): When<W>) {
        if let Some(value) = self {
            value.write(sink, words);
        }
    }
}

/// Storage of a list's count.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    pub(crate) bytes: usize,
    pub(crate) most: u32,
}

impl Count {
    pub(crate) const ONE: Self = Self { bytes: 1, most: u8::MAX as u32 };
    pub(crate) const TWO: Self = Self { bytes: 2, most: u16::MAX as u32 };
    pub(crate) const FOUR: Self = Self { bytes: 4, most: u32::MAX };
    /// As in PMX.
    pub(crate) const SIGNED: Self = Self { bytes: 4, most: i32::MAX as u32 };
}

/// A list after its count, each entry stored by `words`.
#[derive(Clone, Copy)]
pub(crate) struct List<W> {
    count: Count,
    name: &'static str,
    is_inner: bool,
    words: W,
}

/// A list.
pub(crate) const fn list<W: Copy>(count: Count, name: &'static str, words: W) -> List<W> {
    List { count, name, is_inner: false, words }
}

/// A list inside an entry of a list.
pub(crate) const fn inner_list<W: Copy>(count: Count, name: &'static str, words: W) -> List<W> {
    List { count, name, is_inner: true, words }
}

impl<T: Stored<W>, W: Copy> Stored<List<W>> for Vec<T> {
    fn least_bytes(list: List<W>, _: &IndexSizes) -> u64 {
        list.count.bytes as u64
    }

    fn read(source: &mut Bytes<'_>, list: List<W>) -> Result<Self> {
        let least_bytes = T::least_bytes(list.words, &source.sizes);
        let count = source.list_count(list.count, list.name)?;
        let count = source.check_count(count, least_bytes, size_of::<T>(), list.name)?;
        let mut entries = Self::with_capacity(count);
        for index in 0..count {
            source.enter(list.is_inner, Some((list.name, index)));
            entries.push(T::read(source, list.words)?);
        }
        source.enter(list.is_inner, None);
        Ok(entries)
    }

    /// Cut to the maximum of the count.
    fn write(&self, sink: &mut Sink, list: List<W>) {
        let count = sink.list_count(list.count, self.len());
        self.iter().take(count).for_each(|entry| entry.write(sink, list.words));
    }
}

/// Lists the fields of a record in the order of the file. Words may use fields that come before; one that follows from others is written as
/// the function says. Fields that are not listed come from the record after `..`.
macro_rules! stored {
    ($($record:ident $([$known:ident: $type:ty = $written:expr])? {
        $($field:ident: $words:expr),* $(,)? $(; ..$rest:expr)?
    })*) => {$(
        impl $crate::stored::Stored<()> for $record {
            fn least_bytes((): (), sizes: &$crate::pmx::IndexSizes) -> u64 {
                $(let $known = <$type>::default();)?
                [$($crate::stored::least_of(|record: &Self| &record.$field, $words, sizes)),*].iter().sum()
            }

            fn read(source: &mut $crate::bytes::Bytes<'_>, (): ()) -> $crate::Result<Self> {
                $(let $field = $crate::stored::Stored::read(source, $words)?;)*
                Ok(Self { $($field,)* $(..$rest)? })
            }

            fn write(&self, sink: &mut $crate::sink::Sink, (): ()) {
                let Self { $($field,)* .. } = self;
                $(let $known = &$written(self, $known);)?
                $($crate::stored::Stored::write($field, sink, $words);)*
            }
        }
    )*};
}

pub(crate) use stored;

/// The minimum size of the field that `_field` returns; only its type matters.
pub(crate) fn least_of<R, T: Stored<W>, W>(_field: impl Fn(&R) -> &T, words: W, sizes: &IndexSizes) -> u64 {
    T::least_bytes(words, sizes)
}
