//! Size of the processor's cache.

/// Assumed if unknown: a common size of desktop processors.
const ASSUMED_BYTES: usize = 32 << 20;

/// More than any processor has for each of its cores. Virtual machines show the host's whole cache beside their own few cores.
const MOST_BYTES_PER_CORE: usize = 16 << 20;

/// Bytes that this program can hope to keep in the largest cache.
pub fn cache_bytes() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    last_level_cache_bytes().min(cores * MOST_BYTES_PER_CORE)
}

/// Bytes of the largest cache, as the processor tells.
#[cfg(target_arch = "x86_64")]
fn last_level_cache_bytes() -> usize {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // Deterministic cache parameters: leaf 4 with Intel, 0x8000_001D in the same form with AMD.
    let largest_in = |leaf: u32| {
        let sizes = (0..8).map(|index| {
            let answer = __cpuid_count(leaf, index);
            let kind = answer.eax & 0x1f;
            let ways = (answer.ebx >> 22) as usize + 1;
            let partitions = (answer.ebx >> 12 & 0x3ff) as usize + 1;
            let line = (answer.ebx & 0xfff) as usize + 1;
            let sets = answer.ecx as usize + 1;
            if kind == 0 { 0 } else { ways * partitions * line * sets }
        });
        sizes.max().unwrap_or(0)
    };
    let intel = if __cpuid(0).eax >= 4 { largest_in(4) } else { 0 };
    let amd = if __cpuid(0x8000_0000).eax >= 0x8000_001d { largest_in(0x8000_001d) } else { 0 };
    match intel.max(amd) {
        0 => ASSUMED_BYTES,
        bytes => bytes,
    }
}

/// Bytes of the largest cache; other processors do not tell programs.
#[cfg(not(target_arch = "x86_64"))]
fn last_level_cache_bytes() -> usize {
    ASSUMED_BYTES
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_largest_cache_has_a_sensible_size() {
        let bytes = super::cache_bytes();
        assert!((1 << 18..1usize << 34).contains(&bytes), "{bytes}");
    }
}
