//! Methods by name, with their parameters.

use crate::RotationBlend;
use std::fmt;
use std::str::FromStr;

/// A skinning method with its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Method {
    /// Linear blend skinning, in MMD "BDEF".
    #[default]
    Lbs,
    /// Spherical blend skinning: the vertex turns about its projection onto the axis.
    Sbs {
        /// Blend of rotations.
        rotation: RotationBlend,
    },
    /// SBS+, in MMD "SDEF".
    Sdef {
        /// Share of linear blending for the center, 0 to 1; viewers use 0.5.
        s: f32,
        /// Blend of rotations.
        rotation: RotationBlend,
    },
    /// The Bézier improvement of SBS+: no kink at the ends of the soft range.
    Bezier {
        /// Blend of rotations.
        rotation: RotationBlend,
        /// Kind of curve.
        form: BezierForm,
    },
    /// Dual quaternion linear blending, in MMD "QDEF".
    Dlb,
    /// Optimized centers of rotation.
    Cor,
    /// Linear blend skinning, then smoothing with the rest shape's detail restored. Only for the whole model.
    DeltaMush {
        /// Smoothing passes.
        iterations: u32,
    },
}

/// Curve of the centers in the Bézier method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BezierForm {
    /// One per vertex, shifted through its center, as data per vertex (PMX) requires.
    #[default]
    Vertex,
    /// One per joint, from r0 to r1 themselves: a true Bézier curve. Differs only for bones bent in rest.
    Joint,
}

impl FromStr for BezierForm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "vertex" => Ok(Self::Vertex),
            "joint" => Ok(Self::Joint),
            _ => Err(format!("unknown form {text:?}; use vertex or joint")),
        }
    }
}

/// Error of parsing a method, or a rule for joints.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum MethodError {
    #[error("unknown method {name:?}; use lbs, sbs, sdef, bezier, dlb, cor or delta_mush{}", nearest_text(.name))]
    Unknown { name: String },
    /// A parameter that the method does not have.
    #[error("{method} has no parameter {parameter:?}; it has {known}")]
    Parameter { method: &'static str, parameter: String, known: &'static str },
    #[error("{parameter}={value} is out of range; use {allowed}")]
    Value { parameter: String, value: String, allowed: &'static str },
    /// A rule without `=`.
    #[error("use PATTERN=METHOD, such as \"Spine*=dlb\"")]
    NoMethod,
    #[error("{method} smooths the whole model and cannot be used for a joint")]
    WholeModel { method: &'static str },
}

/// Value of PMX viewers.
pub const DEFAULT_S: f32 = 0.5;

/// Enough to spread a joint's fold over the joint on meshes of ten thousand vertices; more costs time and distorts thin parts.
pub const DEFAULT_MUSH_ITERATIONS: u32 = 10;

fn nearest_text(name: &str) -> String {
    sinew_rig::did_you_mean(name, Method::ALL.iter().map(Method::name))
}

impl Method {
    /// The method's name, without parameters.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Lbs => "lbs",
            Self::Sbs { .. } => "sbs",
            Self::Sdef { .. } => "sdef",
            Self::Bezier { .. } => "bezier",
            Self::Dlb => "dlb",
            Self::Cor => "cor",
            Self::DeltaMush { .. } => "delta_mush",
        }
    }

    /// SBS+ as computed by viewers.
    pub const SDEF: Self = Self::Sdef { s: DEFAULT_S, rotation: RotationBlend::Slerp };
    /// Spherical blend skinning by slerp.
    pub const SBS: Self = Self::Sbs { rotation: RotationBlend::Slerp };
    /// The Bézier improvement by slerp.
    pub const BEZIER: Self = Self::Bezier { rotation: RotationBlend::Slerp, form: BezierForm::Vertex };

    /// Delta mush with the default number of iterations.
    pub const DELTA_MUSH: Self = Self::DeltaMush { iterations: DEFAULT_MUSH_ITERATIONS };

    /// Every method, with its default parameters.
    pub const ALL: [Self; 7] =
        [Self::Lbs, Self::SBS, Self::SDEF, Self::BEZIER, Self::Dlb, Self::Cor, Self::DELTA_MUSH];

    /// The method's code in [`sinew_rig::Mesh::methods`]; 0 for a method of the whole model.
    pub fn code(&self) -> u8 {
        match self {
            Self::Lbs => 1,
            Self::Sbs { .. } => 2,
            Self::Sdef { .. } => 3,
            Self::Bezier { .. } => 4,
            Self::Dlb => 5,
            Self::Cor => 6,
            Self::DeltaMush { .. } => 0,
        }
    }

    /// The method of a code, with these parameters if it has them; `None` for 0 and unknown codes.
    pub fn from_code(code: u8, s: f32, rotation: RotationBlend) -> Option<Self> {
        match code {
            1 => Some(Self::Lbs),
            2 => Some(Self::Sbs { rotation }),
            3 => Some(Self::Sdef { s, rotation }),
            4 => Some(Self::Bezier { rotation, form: BezierForm::Vertex }),
            5 => Some(Self::Dlb),
            6 => Some(Self::Cor),
            _ => None,
        }
    }

    fn set(&mut self, parameter: &str, value: &str) -> Result<(), MethodError> {
        let method = self.name();
        let bad_value =
            |allowed| MethodError::Value { parameter: parameter.into(), value: value.into(), allowed };
        let parsed_rotation = || value.parse::<RotationBlend>().map_err(|_| bad_value("slerp or nlerp"));
        match (self, parameter) {
            (
                Self::Sbs { rotation } | Self::Sdef { rotation, .. } | Self::Bezier { rotation, .. },
                "rotation",
            ) => *rotation = parsed_rotation()?,
            (Self::Bezier { form, .. }, "form") => {
                *form = value.parse().map_err(|_| bad_value("vertex or joint"))?;
            }
            (Self::Sdef { s, .. }, "s") => {
                let number = value.parse::<f32>().ok().filter(|s| (0.0..=1.0).contains(s));
                *s = number.ok_or_else(|| bad_value("a number from 0 to 1"))?;
            }
            (Self::DeltaMush { iterations }, "iterations") => {
                let number = value.parse::<u32>().ok().filter(|count| (1..=200).contains(count));
                *iterations = number.ok_or_else(|| bad_value("a number from 1 to 200"))?;
            }
            (of, _) => {
                let known = match of {
                    Self::Sdef { .. } => "s and rotation",
                    Self::Sbs { .. } => "rotation",
                    Self::Bezier { .. } => "rotation and form",
                    Self::DeltaMush { .. } => "iterations",
                    Self::Lbs | Self::Dlb | Self::Cor => "none",
                };
                return Err(MethodError::Parameter { method, parameter: parameter.into(), known });
            }
        }
        Ok(())
    }
}

impl FromStr for Method {
    type Err = MethodError;

    /// `lbs`, `sdef:s=0.3`, `bezier:rotation=nlerp`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let named = |method: &&Self| method.name() == name || (name == "sbs+" && method.name() == "sdef");
        let mut method =
            *Self::ALL.iter().find(named).ok_or_else(|| MethodError::Unknown { name: name.into() })?;
        for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            method.set(key, value)?;
        }
        Ok(method)
    }
}

impl TryFrom<String> for Method {
    type Error = MethodError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Method> for String {
    fn from(method: Method) -> Self {
        method.to_string()
    }
}

impl fmt::Display for Method {
    /// The name and the parameters that differ from the default, in the format of [`Method::from_str`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parameters = Vec::new();
        match self {
            Self::Sdef { s, .. } if *s != DEFAULT_S => parameters.push(format!("s={s}")),
            Self::DeltaMush { iterations } if *iterations != DEFAULT_MUSH_ITERATIONS => {
                parameters.push(format!("iterations={iterations}"));
            }
            Self::Bezier { form: BezierForm::Joint, .. } => parameters.push("form=joint".to_owned()),
            _ => {}
        }
        if let Self::Sbs { rotation: RotationBlend::Nlerp }
        | Self::Sdef { rotation: RotationBlend::Nlerp, .. }
        | Self::Bezier { rotation: RotationBlend::Nlerp, .. } = self
        {
            parameters.push("rotation=nlerp".to_owned());
        }
        let separator = if parameters.is_empty() { "" } else { ":" };
        write!(f, "{}{separator}{}", self.name(), parameters.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parameters_are_read_and_mistakes_explained() {
        assert_eq!(
            "sdef:s=0.3,rotation=nlerp".parse(),
            Ok(Method::Sdef { s: 0.3, rotation: RotationBlend::Nlerp })
        );
        assert_eq!("sbs+".parse(), Ok(Method::SDEF));
        let nlerp = [
            "sdef:s=0.25,rotation=nlerp",
            "bezier:form=joint",
            "bezier:form=joint,rotation=nlerp",
            "sdef:rotation=nlerp",
            "bezier:rotation=nlerp",
            "sbs:rotation=nlerp",
        ];
        let parsed = nlerp.map(|text| text.parse().expect("right"));
        for method in Method::ALL.into_iter().chain(parsed) {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        for method in Method::ALL {
            let from_code = Method::from_code(method.code(), DEFAULT_S, RotationBlend::Slerp);
            assert!(from_code == Some(method) || matches!(method, Method::DeltaMush { .. }), "{method}");
        }
        for wrong in [
            "",
            "magic",
            "sdef:s=2",
            "sdef:q=1",
            "lbs:s=0.5",
            "delta_mush:iterations=0",
            "sdef:s",
            "sdef:s=NaN",
        ] {
            assert!(wrong.parse::<Method>().is_err(), "{wrong}");
        }
    }
}
