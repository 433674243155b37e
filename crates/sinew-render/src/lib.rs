//! Sinew's software renderer: product shots without a driver.
//!
//! A [`Scene`] is plain data: triangle meshes with materials, a studio floor, a backdrop, lamps, and overlays such as
//! skeletons and labels. A [`Camera`] frames it, and a [`Renderer`] turns both into an [`Image`]:
//!
//! ```
//! use glam::Vec3;
//! use sinew_render::{Camera, Ground, Material, Object, RenderSettings, Renderer, Scene, View};
//!
//! let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
//! let camera = Camera::frame(View::ThreeQuarter, corners.iter().copied(), 4.0 / 3.0);
//! let object = Object::new(corners, vec![[0, 1, 2]], Material::default());
//! let scene = Scene { objects: vec![object], ground: Ground::Plane { y: 0.0 }, ..Scene::default() };
//! let settings = RenderSettings { width: 160, height: 120, ..RenderSettings::default() };
//! let image = Renderer::new().render(&scene, &camera, &settings)?;
//! assert_eq!(image.width(), 160);
//! # Ok::<(), sinew_render::RenderError>(())
//! ```
//!
//! Pictures depend on the scene, the camera and the settings alone, not on the number of threads. Lengths may be in any
//! unit; right-handed, +Y up, triangles counter-clockwise from outside.

mod animation;
mod bones;
mod bvh;
mod camera;
mod color;
mod colormap;
mod contact_sheet;
mod depth_map;
mod draw;
mod error;
mod frame;
mod ground;
mod hit;
mod image;
mod legend;
mod lines;
mod marks;
mod mesh;
mod occlusion;
mod overlay;
mod palette;
mod raster;
mod renderer;
mod rounding;
mod scene;
mod setup;
mod shade;
mod shade_pass;
mod shadow;
mod steady;
mod surface;
mod text;
mod texture;
mod trace;

pub use animation::encode_gif;
pub use bones::BoneSegment;
pub use camera::{Camera, View};
pub use color::{Rgba8, linear_from_rgb8, linear_from_srgb, srgb_from_linear};
pub use colormap::{ColorMap, ScalarMap};
pub use contact_sheet::contact_sheet;
pub use error::{EncodeError, RenderError, SceneProblem};
pub use image::{Image, ImageDifference, MAX_IMAGE_SIDE};
pub use overlay::{LabelAnchor, Overlay, OverlayDepth};
pub use renderer::{Quality, RenderSettings, Renderer};
pub use scene::{Background, FloorMarks, Ground, Group, Lamp, Lights, Material, Object, Scene, Steady};
pub use sinew_rig::{AlphaMode as Alpha, Filter, Wrap};
pub use text::{Align, TextStyle};
pub use texture::Texture;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
