//! `[[camera]]` of a scene file.

use crate::SceneError;
use glam::DVec3;
use sinew_motion::camera::{CameraRig, CameraView, Ends, FollowCurve, Lens, LensPath, Path, Point};
use sinew_render::Camera;
use sinew_rig::nearest_names;
use sinew_settings::{Table, TextError, Value};

/// A camera, before it is known where what it follows goes.
#[derive(Clone, Debug)]
pub struct CameraText {
    /// By which cuts find it. Default `camera 1`, `camera 2` …
    pub name: String,
    /// The line it begins at.
    pub line: usize,
    /// Where it stands.
    pub eye: PointText,
    /// What it looks at.
    pub target: PointText,
    /// Its lens.
    pub lens: LensPath,
    /// Roll in radians in x.
    pub roll: Option<Path>,
}

/// A point that may move.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum PointText {
    /// Fixed, metres.
    Fixed(DVec3),
    /// Along keys.
    Path(Path),
    /// After a character.
    Follow(FollowText),
    /// Round a point, by azimuth, elevation (radians) and distance (metres). `center`: round what. `path`: how.
    Orbit { center: Box<PointText>, path: Path },
}

/// `{ follow = "…" }`.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowText {
    /// Whom.
    pub character: String,
    /// Which bone; none is the middle of its joints.
    pub bone: Option<String>,
    /// From there, metres along the scene's axes.
    pub offset: DVec3,
    /// Seconds before and after over which the place is averaged. Default 0.25.
    pub smooth_secs: f64,
    /// The line it stands in.
    pub line: usize,
}

/// Vertical angle of view where a camera says none: a short telephoto, as for portraits.
const DEFAULT_FOV_DEG: f64 = 30.0;

/// Height of a frame of 35 mm film, millimetres.
const DEFAULT_FILM_BACK_MM: f64 = 24.0;

/// Where what a camera follows goes.
pub(crate) type Follow<'a> = dyn Fn(&FollowText) -> Result<FollowCurve, SceneError> + 'a;

impl CameraText {
    /// The camera, bound to what it follows.
    pub(crate) fn rig(&self, follow: &Follow<'_>) -> Result<CameraRig, SceneError> {
        let rig = CameraRig::new(self.eye.bound(follow)?, self.target.bound(follow)?, self.lens.clone());
        Ok(match &self.roll {
            Some(roll) => rig.with_roll(roll.clone()),
            None => rig,
        })
    }
}

impl PointText {
    fn bound(&self, follow: &Follow<'_>) -> Result<Point, SceneError> {
        Ok(match self {
            Self::Fixed(place) => Point::Fixed(*place),
            Self::Path(path) => Point::Path(path.clone()),
            Self::Follow(text) => Point::Follow { curve: follow(text)?, offset: text.offset },
            Self::Orbit { center, path } => {
                Point::Orbit { center: Box::new(center.bound(follow)?), path: path.clone() }
            }
        })
    }
}

/// A view as the renderer takes it.
pub(crate) fn render_camera(view: &CameraView) -> Camera {
    Camera {
        eye: view.eye.as_vec3(),
        target: view.target.as_vec3(),
        up: view.up.as_vec3(),
        vertical_fov_rad: view.vertical_fov_rad as f32,
    }
}

/// What to say after a name that is not known; empty where no name is near.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = nearest_names(name, known);
    nearest.first().map_or(String::new(), |nearest| format!("; did you mean {nearest:?}?"))
}

pub(crate) fn camera(table: &mut Table<'_>, index: usize) -> Result<CameraText, TextError> {
    let line = table.spot().line;
    let name = match table.get("name") {
        Some(value) => value.text()?.to_owned(),
        None => format!("camera {}", index + 1),
    };
    table.rename(format!("camera {name:?}"));
    let eye = point(&table.need("eye")?)?;
    let target = point(&table.need("target")?)?;
    let lens = lens(table)?;
    let roll = table.get("roll").map(|value| roll_path(&value)).transpose()?;
    Ok(CameraText { name, line, eye, target, lens, roll })
}

fn lens(table: &mut Table<'_>) -> Result<LensPath, TextError> {
    let (fov, focal) = (table.get("fov"), table.get("focal"));
    let film_back = table.get("film_back");
    let film_back_mm = film_back.as_ref().map_or(Ok(DEFAULT_FILM_BACK_MM), Value::number)?;
    if let (Some(value), None) = (&film_back, &focal) {
        return Err(value.error("a film back needs a focal length; add `focal`, in mm"));
    }
    let (value, is_focal) = match (fov, focal) {
        (Some(_), Some(value)) => return Err(value.error("it has `fov` already; remove one of the two")),
        (Some(value), None) => (value, false),
        (None, Some(value)) => (value, true),
        (None, None) => {
            return Ok(Lens::fov_deg(DEFAULT_FOV_DEG).map_err(|error| table.error(error))?.steady());
        }
    };
    let of_number = |value: &Value<'_>| {
        let number = value.number()?;
        let lens = if is_focal { Lens::focal_mm(number, film_back_mm) } else { Lens::fov_deg(number) };
        lens.map_err(|error| value.error(error))
    };
    if !value.is_array() {
        return Ok(of_number(&value)?.steady());
    }
    let key = if is_focal { "focal" } else { "fov" };
    let keys = value.each(|table| Ok((table.need("time")?.number()?, of_number(&table.need(key)?)?)))?;
    LensPath::through(&keys).map_err(|error| value.error(error))
}

/// A number, or a list of keys, in degrees; a path in radians along x.
fn roll_path(value: &Value<'_>) -> Result<Path, TextError> {
    let angle = |value: &Value<'_>| value.number().map(|angle_deg| DVec3::X * angle_deg.to_radians());
    let keys = match value.is_array() {
        true => value.each(|key| Ok((key.need("time")?.number()?, angle(&key.need("roll")?)?)))?,
        false => vec![(0.0, angle(value)?)],
    };
    Path::through(&keys, Ends::Rest).map_err(|error| value.error(error))
}

fn point(value: &Value<'_>) -> Result<PointText, TextError> {
    if value.is_array() {
        return Ok(PointText::Fixed(value.vector()?));
    }
    value.read(|table| {
        if let Some(whom) = table.get("follow") {
            Ok(PointText::Follow(follow(&whom, table)?))
        } else if let Some(center) = table.get("orbit") {
            Ok(PointText::Orbit { center: Box::new(point(&center)?), path: orbit_path(table)? })
        } else if let Some(keys) = table.get("keys") {
            let found = keys.each(|key| Ok((key.need("time")?.number()?, key.need("at")?.vector()?)))?;
            let path = Path::through(&found, ends(table)?).map_err(|error| keys.error(error))?;
            Ok(PointText::Path(path))
        } else {
            let hint = "[x, y, z], { keys = [{ time = 0, at = [x, y, z] }, …] }, { follow = \"NAME\" } or { orbit = POINT, … }";
            Err(value.error(format_args!("expected a point: {hint}")))
        }
    })
}

fn follow(whom: &Value<'_>, table: &mut Table<'_>) -> Result<FollowText, TextError> {
    Ok(FollowText {
        character: whom.text()?.to_owned(),
        bone: table.get("bone").map(|value| value.text().map(str::to_owned)).transpose()?,
        offset: table.get("offset").map_or(Ok(DVec3::ZERO), |value| value.vector())?,
        smooth_secs: table.get("smooth").map_or(Ok(0.25), |value| value.number_in(0.0..=60.0))?,
        line: whom.spot().line,
    })
}

fn ends(table: &mut Table<'_>) -> Result<Ends, TextError> {
    let words = [("rest", Ends::Rest), ("drift", Ends::Drift)];
    table.get("ends").map_or(Ok(Ends::Rest), |value| value.word(&words))
}

/// Azimuth, elevation and distance: the same at all times, or by keys in which what is left out stays as in the key before.
fn orbit_path(table: &mut Table<'_>) -> Result<Path, TextError> {
    let mut polar = DVec3::new(0.0, 8.0, 4.0);
    read_polar(&mut polar, table)?;
    let keys = match table.get("keys") {
        Some(list) => list.each(|key| {
            let time = key.need("time")?.number()?;
            read_polar(&mut polar, key)?;
            Ok((time, radians(polar)))
        })?,
        None => vec![(0.0, radians(polar))],
    };
    let ends = ends(table)?;
    Path::through(&keys, ends).map_err(|error| table.error(error))
}

fn read_polar(polar: &mut DVec3, table: &mut Table<'_>) -> Result<(), TextError> {
    table.set("azimuth", &mut polar.x, |value| value.number_in(-36000.0..=36000.0))?;
    table.set("elevation", &mut polar.y, |value| value.number_in(-89.0..=89.0))?;
    table.set("distance", &mut polar.z, |value| value.number_in(0.01..=1e5))
}

fn radians(polar: DVec3) -> DVec3 {
    DVec3::new(polar.x.to_radians(), polar.y.to_radians(), polar.z)
}
