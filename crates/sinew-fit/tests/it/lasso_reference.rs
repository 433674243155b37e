//! The LASSO against coefficients of another program.
//!
//! The arrays (made with scikit-learn 1.x, coordinate descent, on the leg of 663 vertices) are not part of the project: `SINEW_CORPUS`
//! names the folder that has `helper/lasso_ref_leg663_n6750_H4.npz`. Where it does not, the test says so and ends.

use std::io::Read;
use std::path::PathBuf;

use crate::support::npy;
use sinew_fit::LassoProblem;

/// Largest difference of a coefficient.
const TOLERANCE: f64 = 1e-4;

/// An array of a `.npz`, which is a zip of `.npy` files.
fn member(zip: &[u8], name: &str) -> npy::Array {
    let file = format!("{name}.npy");
    let word = |at: usize| u16::from_le_bytes([zip[at], zip[at + 1]]) as usize;
    let long = |at: usize| u32::from_le_bytes([zip[at], zip[at + 1], zip[at + 2], zip[at + 3]]) as usize;
    let end =
        (0..=zip.len() - 22).rev().find(|&at| zip[at..].starts_with(b"PK\x05\x06")).expect("a zip file");
    let mut entry = long(end + 16);
    loop {
        assert!(zip[entry..].starts_with(b"PK\x01\x02"), "no {file} in the archive");
        let (size, name_size) = (long(entry + 20), word(entry + 28));
        if zip[entry + 46..][..name_size] == *file.as_bytes() {
            let local = long(entry + 42);
            let packed = &zip[local + 30 + word(local + 26) + word(local + 28)..][..size];
            let mut bytes = Vec::new();
            flate2::read::DeflateDecoder::new(packed).read_to_end(&mut bytes).expect("a whole archive");
            return npy::parse(&bytes).expect("an array");
        }
        entry += 46 + name_size + word(entry + 30) + word(entry + 32);
    }
}

#[test]
fn coefficients_are_those_of_the_reference() {
    let folder = std::env::var_os("SINEW_CORPUS").map(|corpus| PathBuf::from(corpus).join("helper"));
    let path =
        folder.map(|folder| folder.join("lasso_ref_leg663_n6750_H4.npz")).filter(|path| path.is_file());
    let Some(path) = path else {
        eprintln!("lasso: SINEW_CORPUS is not set or has no helper/lasso_ref_leg663_n6750_H4.npz, skipped");
        return;
    };
    let zip = std::fs::read(path).unwrap();
    // Helper, parent, sample, number.
    let outputs = member(&zip, "Y");
    let count = outputs.shape[2];
    for degree in 1..=3 {
        let columns = member(&zip, &format!("P_deg{degree}"));
        let width = columns.shape[1];
        for lambda in [1, 10, 100] {
            let reference = member(&zip, &format!("lasso_deg{degree}_lam{lambda}"));
            let cases = outputs.values.chunks(count * 6).zip(reference.values.chunks(width * 6)).enumerate();
            for (case, (outputs, reference)) in cases {
                let found = LassoProblem::new(&columns.values, width, outputs, 6).solve(f64::from(lambda));
                let difference = found.iter().zip(reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(difference < TOLERANCE, "degree {degree}, λ {lambda}, case {case}: {difference}");
            }
        }
    }
}
