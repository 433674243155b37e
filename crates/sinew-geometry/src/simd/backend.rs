//! Choosing the instructions that kernels run on.

use super::{Scalar, Simd};
use std::sync::OnceLock;

/// Choice of [`Backend::force`] for the whole process.
static FORCED: OnceLock<Backend> = OnceLock::new();

/// A set of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// 16 lanes at a time, on x86-64 processors with AVX-512F.
    Avx512,
    /// 8 lanes at a time, on x86-64 processors with AVX2 and FMA.
    Avx2,
    /// 4 lanes at a time, on 64-bit ARM.
    Neon,
    /// One lane at a time, everywhere.
    Scalar,
}

impl Backend {
    /// All of them, fastest first.
    pub const ALL: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Neon, Self::Scalar];

    /// The fastest that this processor has, or the one that was forced.
    pub fn detect() -> Self {
        FORCED.get().copied().unwrap_or_else(Self::fastest)
    }

    /// Makes [`Backend::detect`] return this one in the whole process: a run then does not depend on the machine.
    /// The first call decides; returns the backend in force.
    ///
    /// # Panics
    /// If this processor has not got it.
    pub fn force(self) -> Self {
        assert!(self.is_available(), "this processor does not support {}", self.name());
        *FORCED.get_or_init(|| self)
    }

    fn fastest() -> Self {
        Self::ALL.into_iter().find(|backend| backend.is_available()).unwrap_or(Self::Scalar)
    }

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        self.engine().is_some()
    }

    /// `"avx512"`, `"avx2"`, `"neon"` or `"scalar"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Neon => "neon",
            Self::Scalar => "scalar",
        }
    }

    /// Does the work with these instructions.
    ///
    /// # Panics
    /// If this processor has not got them.
    pub fn dispatch(self, work: impl WithSimd) {
        let engine = self.engine();
        match engine.unwrap_or_else(|| panic!("this processor does not support {}", self.name())) {
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512(simd) => work.with(simd),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(simd) => work.with(simd),
            #[cfg(target_arch = "aarch64")]
            Engine::Neon(simd) => work.with(simd),
            Engine::Scalar(simd) => work.with(simd),
        }
    }

    fn engine(self) -> Option<Engine> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => super::Avx512::detect().map(Engine::Avx512),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::Avx2::detect().map(Engine::Avx2),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => super::Neon::detect().map(Engine::Neon),
            Self::Scalar => Some(Engine::Scalar(Scalar)),
            _ => None,
        }
    }
}

/// A backend that this processor has.
enum Engine {
    #[cfg(target_arch = "x86_64")]
    Avx512(super::Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(super::Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(super::Neon),
    Scalar(Scalar),
}

/// Work that needs to know the backend, but is not itself a kernel: it calls kernels, also from several threads.
pub trait WithSimd {
    /// Does the work.
    fn with<S: Simd>(self, simd: S);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detected_backend_is_available() {
        assert!(Backend::detect().is_available());
        assert!(Backend::Scalar.is_available());
    }
}
