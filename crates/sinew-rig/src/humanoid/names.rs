//! Usual names of human parts in files.

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Middle,
}

/// A bone's name, split: side, and the remaining words, in lower case without prefixes common to all bones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameParts {
    pub(super) side: Side,
    /// The words without numbers, joined: `upperarm`.
    pub(super) word: String,
    /// Numbers of the name.
    pub(super) numbers: Vec<u32>,
}

/// Prefixes and suffixes without meaning.
const NOISE: &str = "mixamorig bip bip01 bip001 j c def org joint jnt bone skeleton skel b";

impl NameParts {
    pub(super) fn of(name: &str) -> Self {
        // The text before a colon is a name space.
        let name = name.rsplit(':').next().unwrap_or(name);
        let (mut side, mut word, mut numbers) = (Side::Middle, String::new(), Vec::new());
        for token in tokens(name) {
            match token.as_str() {
                "l" | "left" | "左" => side = Side::Left,
                "r" | "right" | "右" => side = Side::Right,
                token if NOISE.split(' ').any(|noise| noise == token) => {}
                token => match token.parse() {
                    Ok(number) => numbers.push(number),
                    Err(_) => word.push_str(token),
                },
            }
        }
        let glued = [("lefthand", Side::Left), ("righthand", Side::Right)];
        for (start, of) in glued {
            if let Some(rest) = word.strip_prefix(start) {
                (side, word) = (of, format!("hand{rest}"));
            }
        }
        Self { side, word, numbers }
    }
}

/// Words in lower case: split at punctuation, at capitals, and between letters and numbers. Japanese names have the side first and
/// full-width numbers.
fn tokens(name: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    let letters: Vec<char> = name.chars().map(half_width).collect();
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            before = None;
            continue;
        }
        let is_capital = |letter: char| letter.is_uppercase();
        let next_is_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = match before {
            None => true,
            Some('左' | '右') => true,
            Some(last) => {
                last.is_ascii_digit() != letter.is_ascii_digit()
                    || (is_capital(letter) && (!is_capital(last) || next_is_small))
            }
        };
        if begins {
            tokens.push(String::new());
        }
        if let Some(token) = tokens.last_mut() {
            token.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    tokens
}

fn half_width(letter: char) -> char {
    match letter {
        '０'..='９' | 'Ａ'..='Ｚ' => {
            char::from_u32(u32::from(letter) - u32::from('０') + u32::from('0')).unwrap_or(letter)
        }
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, side: Side, word: &str, numbers: &[u32]) {
        let expected = NameParts { side, word: word.into(), numbers: numbers.to_vec() };
        assert_eq!(NameParts::of(name), expected, "{name}");
    }

    #[test]
    fn names_of_many_rigs_come_apart() {
        check("mixamorig:LeftUpLeg", Side::Left, "upleg", &[]);
        check("upper_arm.R", Side::Right, "upperarm", &[]);
        check("thigh_l", Side::Left, "thigh", &[]);
        check("J_Bip_L_UpperArm", Side::Left, "upperarm", &[]);
        check("Skeleton_arm_joint_L__4_", Side::Left, "arm", &[4]);
        check("spine_02", Side::Middle, "spine", &[2]);
        check("左ひじ", Side::Left, "ひじ", &[]);
        check("右親指０", Side::Right, "親指", &[0]);
        check("左足ＩＫ", Side::Left, "足ik", &[]);
        check("LHipJoint", Side::Left, "hip", &[]);
        check("LThumb", Side::Left, "thumb", &[]);
        check("LeftHandIndex1", Side::Left, "handindex", &[1]);
        check("forearm.left", Side::Left, "forearm", &[]);
        check("DEF-shin.L", Side::Left, "shin", &[]);
        check("", Side::Middle, "", &[]);
    }
}
