//! Values that the JSON contains in their own text form.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Reads an id or a name that a club sends. Clients use it in addresses and file names, and print
/// it, so it has only letters, digits, `-`, `_` and `.`, at most 64, and does not begin with `-` or `.`.
pub(crate) fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let word = String::deserialize(deserializer)?;
    let fits = word.len() <= 64
        && !word.is_empty()
        && !word.starts_with(['-', '.'])
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if fits {
        Ok(word)
    } else {
        Err(de::Error::custom(format_args!(
            "{word:?} is no name and no id: the other end is no club, or wants to harm"
        )))
    }
}

/// A value that is written as its text form: a square, an attempt or a
/// direction.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Text<T>(pub T);

impl<T: fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T> Deserialize<'de> for Text<T>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<T>, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);

        impl<T> de::Visitor<'_> for Visitor<T>
        where
            T: FromStr,
            T::Err: fmt::Display,
        {
            type Value = Text<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<T>, E> {
                text.parse()
                    .map(Text)
                    .map_err(|why| E::custom(format_args!("`{text}`: {why}")))
            }
        }

        deserializer.deserialize_str(Visitor(std::marker::PhantomData))
    }
}

/// In TypeScript the type is `string`.
#[cfg(feature = "typescript")]
impl<T> ts_rs::TS for Text<T> {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &ts_rs::Config) -> String {
        "string".to_owned()
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}

/// Whether a flag can be left out of the JSON.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads a field that must be present and can be null.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// Reads a field that can be absent, but cannot be null.
pub(crate) fn not_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use crate::{PlayerJson, ServerSays};

    #[test]
    fn names_and_ids_from_a_club_are_no_paths_and_no_controls() {
        let player = |name: &str| {
            let json = serde_json::json!({"name": name, "kind": "person"});
            serde_json::from_value::<PlayerJson>(json)
        };
        for name in [
            "Anna",
            "guest-abcdefgh",
            "deleted-account",
            "a_1",
            "7",
            "_x.y",
        ] {
            assert_eq!(player(name).map(|p| p.name).ok().as_deref(), Some(name));
        }
        let long = "a".repeat(65);
        for name in [
            "",
            ".",
            "..",
            "../x",
            "/etc/passwd",
            "a/b",
            "a\\b",
            "-rf",
            "a b",
            "a\u{1b}[2J",
            "\u{e9}",
            &long,
        ] {
            let error = player(name).expect_err(name).to_string();
            assert!(!error.contains('\u{1b}'), "{error:?}");
            let view = serde_json::json!({"type": "heard", "game": name, "hearing": {"n": 1, "heard": []}});
            let view = serde_json::from_value::<ServerSays>(view);
            assert!(
                view.is_err_and(|error| error.to_string().contains("is no name")),
                "{name}"
            );
        }
    }
}
