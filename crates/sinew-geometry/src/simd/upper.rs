//! Wide registers that other people's kernels leave dirty.

/// Zeroes the upper parts of the wide registers, where the processor has them.
///
/// A kernel that returns without it makes every plain instruction after it wait for the upper part of its register: arithmetic then takes
/// three times as long, on this thread and on those that it starts, until something zeroes them. Kernels that are compiled here do it
/// by themselves; matrix products of other crates may not.
pub fn zero_upper_registers() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the processor has the instruction, as was just asked; it changes no part of a register that plain code uses.
        unsafe { std::arch::x86_64::_mm256_zeroupper() };
    }
}
