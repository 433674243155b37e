//! Frames and steps do not allocate. One test in a program of its own: what the threads of another ask for would be counted too.

mod body;
mod rig;
mod skin;
mod soft;

use sinew_tests::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn frames_and_steps_do_not_allocate() {
    body::frames_do_not_allocate();
    rig::frames_do_not_allocate();
    skin::frames_do_not_allocate();
    soft::steps_do_not_allocate_after_the_first();
}
