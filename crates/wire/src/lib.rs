//! The JSON in which calls, stream lines and finished games travel.
