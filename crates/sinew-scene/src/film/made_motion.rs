//! Motions of a scene file that Sinew makes itself: `walk`, `run`, `gait`, `jump`, `stand`, `sit` and `rise`.

use crate::scene_text::{Table, TextError, Value};
use sinew_model::motion::{
    BakeSettings, GaitError, GaitSettings, Humanoid, Jump, JumpSettings, Posture, PostureKind,
    PostureSettings, QuadrupedGaitKind, QuadrupedSettings, SpeedKey, gait_clip,
};
use sinew_rig::Clip;

/// A motion that is made for a character.
#[derive(Clone, Debug, PartialEq)]
pub enum MadeMotion {
    /// Walking, running, or both.
    Gait(GaitSettings),
    /// A jump on the spot.
    Jump(JumpSettings),
    /// Standing, sitting down or getting up.
    Posture(PostureSettings),
    /// Walk or trot of a four-legged character.
    Animal(QuadrupedSettings),
}

impl MadeMotion {
    /// The motion that a table asks for by one of its keys, if it does.
    pub(super) fn read(table: &mut Table<'_>) -> Result<Option<Self>, TextError> {
        for (key, settings) in
            [("walk", GaitSettings::walk()), ("run", GaitSettings::run()), ("gait", GaitSettings::default())]
        {
            if let Some(value) = table.get(key) {
                return value.read(|table| gait(table, settings)).map(|settings| Some(Self::Gait(settings)));
            }
        }
        if let Some(value) = table.get("paws") {
            return value.read(animal).map(|settings| Some(Self::Animal(settings)));
        }
        let postures =
            [("stand", PostureKind::Stand), ("sit", PostureKind::Sit), ("rise", PostureKind::Rise)];
        for (key, kind) in postures {
            if let Some(value) = table.get(key) {
                let settings = value.read(|table| posture(table, kind))?;
                return Ok(Some(Self::Posture(settings)));
            }
        }
        table.get("jump").map(|value| value.read(jump).map(Self::Jump)).transpose()
    }

    /// The motion of a human; `None` if it is for an animal.
    ///
    /// # Errors
    /// Speeds, lengths or ways that nobody has.
    pub fn clip(&self, humanoid: &Humanoid) -> Result<Option<Clip>, GaitError> {
        let clip = match self {
            Self::Animal(_) => return Ok(None),
            Self::Gait(settings) => gait_clip(humanoid, settings)?,
            Self::Posture(settings) => Posture::new(humanoid, settings)?.to_clip(&BakeSettings::default()),
            // Feet leave the ground fast: at 60 keys splines would dip below it.
            Self::Jump(settings) => {
                let bake = BakeSettings { fps: 120.0, ..BakeSettings::default() };
                Jump::new(humanoid, settings)?.to_clip(&bake)
            }
        };
        Ok(Some(clip))
    }
}

fn gait(table: &mut Table<'_>, mut settings: GaitSettings) -> Result<GaitSettings, TextError> {
    table.set("speed", &mut settings.speed_m_s, Value::number)?;
    table.set("seconds", &mut settings.seconds, Value::number)?;
    table.set("speeds", &mut settings.speeds, |list| {
        list.each(|key| {
            Ok(SpeedKey { time: key.need("time")?.number()?, speed: key.need("speed")?.number()? })
        })
    })?;
    table.set("path", &mut settings.path, |list| {
        list.array()?.iter().map(Value::numbers::<2>).collect::<Result<_, _>>()
    })?;
    settings.is_from_rest = table.get("from_rest").map_or(Ok(false), |value| value.boolean())?;
    settings.is_to_rest = table.get("to_rest").map_or(Ok(false), |value| value.boolean())?;
    table.set("seed", &mut settings.seed, |value| Ok(value.number_in(0.0..=1e15)? as u64))?;
    let personality = &mut settings.personality;
    personality.step_length_m = table.get("step_length").map(|value| value.number()).transpose()?;
    for (key, field) in [
        ("stoop", &mut personality.stoop_deg),
        ("arm_swing", &mut personality.arm_swing),
        ("hip_sway", &mut personality.hip_sway),
        ("stride_width", &mut personality.stride_width),
        ("bounce", &mut personality.bounce),
        ("age", &mut personality.age_years),
        ("variation", &mut personality.variation),
    ] {
        table.set(key, field, Value::number)?;
    }
    Ok(settings)
}

fn jump(table: &mut Table<'_>) -> Result<JumpSettings, TextError> {
    let mut settings = JumpSettings::default();
    table.set("height", &mut settings.height_m, Value::number)?;
    table.set("crouch", &mut settings.crouch, Value::number)?;
    table.set("landing", &mut settings.landing, Value::number)?;
    table.set("stand", &mut settings.stand_secs, Value::number)?;
    Ok(settings)
}

fn posture(table: &mut Table<'_>, kind: PostureKind) -> Result<PostureSettings, TextError> {
    let mut settings = PostureSettings { kind, ..PostureSettings::default() };
    table.set("seconds", &mut settings.seconds, Value::number)?;
    table.set("move", &mut settings.move_secs, Value::number)?;
    table.set("breaths", &mut settings.breaths, Value::number)?;
    settings.seat_m = table.get("seat").map(|value| value.number()).transpose()?;
    Ok(settings)
}

fn animal(table: &mut Table<'_>) -> Result<QuadrupedSettings, TextError> {
    let mut settings = QuadrupedSettings::default();
    let kinds = [("walk", QuadrupedGaitKind::Walk), ("trot", QuadrupedGaitKind::Trot)];
    table.set("gait", &mut settings.kind, |value| value.word(&kinds))?;
    table.set("seconds", &mut settings.seconds, Value::number)?;
    settings.speed_m_s = table.get("speed").map(|value| value.number()).transpose()?;
    Ok(settings)
}
