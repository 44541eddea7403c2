//! Metrics of a running club for its operator, in the text format of OpenMetrics.
//!
//! [`Metrics`] has counts, latencies and gauges. For a request, the labels name the method, the
//! route (with placeholders) and the status. For a call of the store, they name the call and, if it
//! failed, the kind of the error. No label contains the name of an account, the address of a
//! client, a game, a position or an attempt. The metrics are served on a separate address, which is
//! for the operator only. Players must not read the metrics, because the number of appends shows
//! how many attempts are made in all games together (docs/leaks.md).
//!
//! This crate does not depend on the club or the server. The program that runs them passes the
//! values to [`Metrics`].
//!
//! # Examples
//!
//! ```
//! use std::time::Duration;
//!
//! let metrics = metrics::Metrics::new();
//! metrics.answered("GET", "/api/lobby", 200, Duration::from_millis(3));
//! metrics.gauge("kriegspiel_games", "Running games", || 7);
//! let text = metrics.text();
//! assert!(text.contains("kriegspiel_games 7"), "{text}");
//! ```

mod serving;
mod stored;
mod values;

pub use crate::{serving::serve, values::Metrics};
