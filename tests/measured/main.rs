//! Memory and time of readers, on good and on damaged files. One test runs at a time: the counts are of the whole program.

mod bvh_damage;
mod damage;
mod decoder_damage;
mod mmd_damage;
mod mmd_motions;
mod mmd_speed;
mod speed;
mod tet_damage;

use sinew_tests::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
