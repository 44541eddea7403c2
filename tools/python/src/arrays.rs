//! Numpy arrays that the caller supplies, or new ones.

use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::errors::error;

/// A number of an array.
pub trait Number: Copy + Element {
    /// The value 0 to 255, as this type.
    fn from(value: u8) -> Self;
}

impl Number for u8 {
    #[inline]
    fn from(value: u8) -> u8 {
        value
    }
}

impl Number for i8 {
    #[inline]
    fn from(value: u8) -> i8 {
        value.min(127) as i8
    }
}

impl Number for bool {
    #[inline]
    fn from(value: u8) -> bool {
        value != 0
    }
}

impl Number for f32 {
    #[inline]
    fn from(value: u8) -> f32 {
        value.into()
    }
}

/// Values that can be written to an array.
pub trait Fill {
    /// Number of values.
    const LEN: usize;

    /// Writes all values.
    fn fill<T: Number>(&self, out: &mut [T]);
}

/// Writes the values to `out`, or to a new array of type `New`.
///
/// # Errors
/// `out` has another type, another number of elements, is not contiguous or cannot be written.
pub fn write<'py, New: Number, F: Fill>(
    py: Python<'py>,
    out: Option<Bound<'py, PyAny>>,
    values: &F,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(out) = out else {
        let new = PyArray1::<New>::zeros(py, F::LEN, false);
        let mut cells = new.readwrite();
        values.fill(cells.as_slice_mut()?);
        return Ok(new.into_any());
    };
    let done = write_as::<u8, F>(&out, values)?
        || write_as::<f32, F>(&out, values)?
        || write_as::<bool, F>(&out, values)?
        || write_as::<i8, F>(&out, values)?;
    if done {
        Ok(out)
    } else {
        Err(PyTypeError::new_err(
            "out must be a numpy array of uint8, int8, bool or float32",
        ))
    }
}

/// Returns false if the array has another type.
fn write_as<T: Number, F: Fill>(out: &Bound<'_, PyAny>, values: &F) -> PyResult<bool> {
    let Ok(array) = out.cast::<PyArrayDyn<T>>() else {
        return Ok(false);
    };
    with_slice(array, F::LEN, |cells| values.fill(cells))?;
    Ok(true)
}

/// Gives the elements of an array to `write`.
///
/// # Errors
/// The array has another number of elements, is not contiguous or cannot be written.
pub fn with_slice<T: Element>(
    array: &Bound<'_, PyArrayDyn<T>>,
    len: usize,
    write: impl FnOnce(&mut [T]),
) -> PyResult<()> {
    if array.len() != len {
        return Err(error(format!(
            "out has {} elements, but {len} are needed",
            array.len()
        )));
    }
    let mut cells = array
        .try_readwrite()
        .map_err(|e| error(format!("out cannot be written: {e}")))?;
    let cells = cells
        .as_slice_mut()
        .map_err(|_| error("out must be contiguous, in C order".to_owned()))?;
    write(cells);
    Ok(())
}
