//! Whole bodies in motion: two angles per joint, every shared edge smooth.
//!
//! \[Komatsu88\] section 5. [`StickFigure`] converts between angles of joints ([`JointPose`]) and motions of bones; [`PosedBody`] moves the
//! control points: tubes bend and twist from the tip inward, parts beyond a joint follow rigidly, and fills are recomputed from their
//! moved sides. [`MeshEvaluator`] then writes vertices, and [`PatchDeformer`] does all that for skinning matrices.
//!
//! Why it stays smooth: rows of control points beside a ring move rigidly with it, seams keep equal legs on both sides, and fills adapt to
//! their borders.
//!
//! ```
//! use sinew_body::pose::{BodyPose, JointPose, PosedBody};
//! use sinew_body::{Design, Flank, Template, build};
//!
//! let body = build(&Template::human(), &Design::default())?;
//! let mut posed = PosedBody::new(body);
//! let mut pose = BodyPose::rest(posed.figure());
//! let forearm = posed.figure().find("forearm", Flank::Left).unwrap();
//! pose.set_joint(posed.figure(), forearm, &JointPose { bend_rad: 1.2, ..JointPose::default() });
//! posed.set(&pose);
//! assert!(posed.body().check(5).jump_deg < 0.01);
//! # Ok::<(), sinew_body::BuildError>(())
//! ```

mod bone_move;
mod carry;
mod cut_vertices;
mod deformer;
mod evaluator;
mod figure;
mod give;
mod joint_pose;
mod joint_ways;
mod muscle;
mod net;
mod posed_body;
mod region;
mod ring_turn;
mod tube_bind;
mod tube_pose;

pub use bone_move::BoneMove;
pub use deformer::{PaletteError, PatchDeformer};
pub use evaluator::MeshEvaluator;
pub use figure::{BodyPose, FigureBone, StickFigure};
pub use joint_pose::{JointFrame, JointPose};
pub use posed_body::PosedBody;

#[cfg(test)]
mod tests;
