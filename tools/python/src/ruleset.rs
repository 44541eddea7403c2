//! Rulesets.

use std::sync::Arc;

use notation::{read_ruleset, write_ruleset};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use rules::{Choices, rulesets};

use crate::errors::error;

/// A ruleset: the answers to every question on which the rules of Kriegspiel differ.
///
/// `Ruleset("wild16")` is a named ruleset; `Ruleset.names()` lists them. `Ruleset.from_toml` reads a
/// ruleset file, and `replace` changes choices.
///
/// Raises `KriegspielError` if there is no ruleset with this name.
#[pyclass(module = "kriegspiel", frozen, eq, hash)]
#[derive(Clone)]
pub(crate) struct Ruleset(pub Arc<rules::Ruleset>);

impl PartialEq for Ruleset {
    fn eq(&self, other: &Ruleset) -> bool {
        self.0.id == other.0.id && self.0.choices == other.0.choices
    }
}

impl std::hash::Hash for Ruleset {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
        self.0.choices.hash(state);
    }
}

impl Ruleset {
    pub fn choices(&self) -> &Choices {
        &self.0.choices
    }

    pub fn named(id: &str) -> PyResult<Ruleset> {
        let named = rulesets::by_id(id).ok_or_else(|| {
            error(format!(
                "there is no ruleset `{id}`; the rulesets are {}",
                ids().join(", ")
            ))
        })?;
        Ok(Ruleset(Arc::new(named.clone())))
    }

    /// The ruleset of a recorded game: the named ruleset, or one with the choices of the game.
    pub fn of_game(id: &str, choices: &Choices) -> Ruleset {
        let named = rulesets::by_id(id).filter(|named| named.choices == *choices);
        Ruleset(Arc::new(named.cloned().unwrap_or_else(|| rules::Ruleset {
            id: id.to_owned().into(),
            title: id.to_owned().into(),
            choices: *choices,
            start: None,
            hall: false,
            sources: [].as_slice().into(),
            notes: [].as_slice().into(),
        })))
    }

    /// Accepts a `Ruleset`, the name of one, or nothing: `wild16`.
    pub fn or_default(object: Option<&Bound<'_, PyAny>>) -> PyResult<Ruleset> {
        object.map_or_else(|| Ruleset::named("wild16"), Ruleset::extract)
    }

    /// Accepts a `Ruleset` or the name of one.
    pub fn extract(object: &Bound<'_, PyAny>) -> PyResult<Ruleset> {
        if let Ok(ruleset) = object.cast::<Ruleset>() {
            return Ok(ruleset.get().clone());
        }
        match object.extract::<String>() {
            Ok(id) => Ruleset::named(&id),
            Err(_) => Err(PyTypeError::new_err("ruleset must be a Ruleset or a name")),
        }
    }
}

fn ids() -> Vec<&'static str> {
    rulesets::ALL
        .iter()
        .map(|named| named.id.as_ref())
        .collect()
}

#[pymethods]
impl Ruleset {
    #[new]
    #[pyo3(signature = (name: "str" = "wild16"))]
    fn new(name: &str) -> PyResult<Ruleset> {
        Ruleset::named(name)
    }

    /// Names of all named rulesets.
    #[staticmethod]
    #[pyo3(signature = () -> "list[str]")]
    fn names() -> Vec<&'static str> {
        ids()
    }

    /// Reads a ruleset file (TOML). Raises `KriegspielError` with line and column of the fault.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<Ruleset> {
        let ruleset = read_ruleset(text).map_err(error)?;
        Ok(Ruleset(Arc::new(ruleset)))
    }

    /// The ruleset as a file that `from_toml` reads.
    fn toml(&self) -> String {
        write_ruleset(&self.0)
    }

    /// Id, for example `wild16`.
    #[getter]
    fn id(&self) -> String {
        self.0.id.to_string()
    }

    /// Title for people.
    #[getter]
    fn title(&self) -> String {
        self.0.title.to_string()
    }

    /// The value of every choice, by the name of the choice.
    #[getter(choices)]
    fn all_choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for field in Choices::FIELDS {
            dict.set_item(field.name, self.0.choices.get(field.name))?;
        }
        Ok(dict)
    }

    /// The ruleset with other choices, as in `replace("my-rules", no_heard="both")`.
    ///
    /// `id` is the id of the new ruleset. Raises `KriegspielError` if a choice or a value does not
    /// exist, or if the choices contradict each other; the message lists what exists.
    #[pyo3(signature = (id: "str", **choices: "str"))]
    fn replace(&self, id: &str, choices: Option<&Bound<'_, PyDict>>) -> PyResult<Ruleset> {
        if rulesets::by_id(id).is_some() {
            return Err(error(format!(
                "`{id}` is a named ruleset; choose another id"
            )));
        }
        let mut own = rules::Ruleset {
            id: id.to_owned().into(),
            ..rules::Ruleset::clone(&self.0)
        };
        for (name, value) in choices.into_iter().flatten() {
            let (name, value): (String, String) = (name.extract()?, value.extract()?);
            own.choices.set(&name, &value).map_err(error)?;
        }
        own.choices.check().map_err(error)?;
        // The file format checks the id.
        Ruleset::from_toml(&write_ruleset(&own))
    }

    fn __repr__(&self) -> String {
        format!("Ruleset('{}')", self.0.id)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = py.get_type::<Ruleset>();
        Ok((class.getattr("from_toml")?, (self.toml(),)))
    }
}
