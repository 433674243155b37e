//! Fixtures and other people's files, read, changed and written.

mod decode;
mod edits;
mod gaits_of_people;
mod limits;
mod mmd_files;
mod mmd_rig;
mod pmd_conversion;
mod round_trip;
mod spherical;
