//! JSON values as Python objects, and back.

use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyDict, PyList},
};
use rules::{Choices, Heard, Start};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::{HeardJson, ParsedHeard};

use crate::errors::error;

/// Converts a JSON value to Python.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into_bound_py_any(py),
            None => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            Ok(list.into_any())
        }
        Value::Object(pairs) => {
            let dict = PyDict::new(py);
            for (key, value) in pairs {
                dict.set_item(key, to_python(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}

/// Reads a Python object by way of its JSON text.
pub fn from_python<T: DeserializeOwned>(object: &Bound<'_, PyAny>) -> PyResult<T> {
    let text: String = object
        .py()
        .import("json")?
        .call_method1("dumps", (object,))?
        .extract()?;
    serde_json::from_str(&text).map_err(|e| error(format!("{text}: {e}")))
}

/// Converts one thing heard to a dictionary of docs/json.md.
pub fn heard_to_python<'py>(py: Python<'py>, heard: &HeardJson) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, &serde_json::to_value(heard).map_err(error)?)
}

/// Reads one thing heard.
pub fn heard_from_python(object: &Bound<'_, PyAny>, choices: &Choices) -> PyResult<ParsedHeard> {
    let json: HeardJson = from_python(object)?;
    let parsed = ParsedHeard::try_from(&json).map_err(error)?;
    Ok(parsed.under(choices))
}

/// List of the start and of the items that follow, without the first `since` of them.
pub fn list<'py, 'a>(
    py: Python<'py>,
    start: &Start,
    heard: impl Iterator<Item = &'a Heard>,
    since: usize,
) -> PyResult<Bound<'py, PyList>> {
    let all = std::iter::once(HeardJson::from(start)).chain(heard.map(HeardJson::from));
    let list = PyList::empty(py);
    for json in all.skip(since) {
        list.append(heard_to_python(py, &json)?)?;
    }
    Ok(list)
}
