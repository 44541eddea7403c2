//! Counts, latencies and gauges.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicI64},
    time::Duration,
};

use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

/// Upper bounds of the buckets of latencies, in seconds.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Values of the label `method`: methods of HTTP, and `SOCKET` for messages on a socket. All other
/// methods share the value `other`, because clients can send any method.
const METHODS: [&str; 8] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "SOCKET",
];

/// Names of labels with their values.
type Labels = Vec<(&'static str, String)>;

type Latencies = Family<Labels, Histogram, fn() -> Histogram>;

fn latencies() -> Latencies {
    Family::new_with_constructor(|| Histogram::new(BUCKETS))
}

/// A gauge, and the function that reads its present value.
type Read = (Gauge<i64, AtomicI64>, Box<dyn Fn() -> i64 + Send + Sync>);

/// Metrics of a club. All clones share the same values.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Mutex<Registry>,
    gauges: Mutex<Vec<Read>>,
    answers: Latencies,
    calls: Latencies,
    failed: Family<Labels, Counter>,
    under_way: Family<Labels, Gauge>,
    conflicts: Counter,
    rows: Counter,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new()
    }
}

impl Metrics {
    /// Creates the metrics with all values zero.
    pub fn new() -> Metrics {
        let inner = Inner {
            registry: Mutex::default(),
            gauges: Mutex::default(),
            answers: latencies(),
            calls: latencies(),
            failed: Family::default(),
            under_way: Family::default(),
            conflicts: Counter::default(),
            rows: Counter::default(),
        };
        let mut registry = Registry::with_prefix("kriegspiel");
        registry.register_with_unit(
            "answer",
            "Time from a request to its answer, by route and status",
            Unit::Seconds,
            inner.answers.clone(),
        );
        registry.register_with_unit(
            "store_call",
            "Duration of a call of the store; an append also waits for the next commit and the sync",
            Unit::Seconds,
            inner.calls.clone(),
        );
        registry.register(
            "store_failures",
            "Calls of the store that failed, by kind of error",
            inner.failed.clone(),
        );
        registry.register(
            "store_calls_under_way",
            "Calls of the store that are not answered yet",
            inner.under_way.clone(),
        );
        registry.register(
            "store_conflicts",
            "Appends refused because the log was not as expected",
            inner.conflicts.clone(),
        );
        registry.register(
            "store_rows",
            "Rows appended to the logs of games",
            inner.rows.clone(),
        );
        let metrics = Metrics(Arc::new(inner));
        *metrics.registry() = registry;
        metrics
    }

    fn registry(&self) -> std::sync::MutexGuard<'_, Registry> {
        self.0
            .registry
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an answer to a request. `route` is the address of the route with its placeholders,
    /// never the address that was requested.
    pub fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let method = METHODS.iter().find(|known| **known == method);
        let labels = vec![
            ("method", (*method.unwrap_or(&"other")).to_owned()),
            ("route", route.to_owned()),
            ("status", status.to_string()),
        ];
        let answers = self.0.answers.get_or_create(&labels);
        answers.observe(took.as_secs_f64());
    }

    /// Adds a gauge. `name` begins with `kriegspiel_`. `read` returns the value at the moment when
    /// the metrics are read.
    pub fn gauge(&self, name: &str, help: &str, read: impl Fn() -> i64 + Send + Sync + 'static) {
        let gauge = Gauge::default();
        let name = name.strip_prefix("kriegspiel_").unwrap_or(name);
        self.registry().register(name, help, gauge.clone());
        let mut gauges = self.0.gauges.lock().unwrap_or_else(PoisonError::into_inner);
        gauges.push((gauge, Box::new(read)));
    }

    /// Begins to measure a call of the store. The call counts as under way until the result is
    /// dropped.
    pub(crate) fn call(&self, name: &'static str) -> Call {
        let labels = vec![("call", name.to_owned())];
        let under_way = self.0.under_way.get_or_create_owned(&labels);
        under_way.inc();
        Call {
            latency: self.0.calls.get_or_create_owned(&labels),
            under_way,
            begun: std::time::Instant::now(),
        }
    }

    /// Counts a call of the store that failed.
    pub(crate) fn failed(&self, name: &'static str, kind: &'static str) {
        let labels = vec![("call", name.to_owned()), ("kind", kind.to_owned())];
        self.0.failed.get_or_create(&labels).inc();
    }

    /// Counts an append that failed because another node appended rows first.
    pub(crate) fn conflict(&self) {
        self.0.conflicts.inc();
    }

    /// Counts appended rows.
    pub(crate) fn rows(&self, rows: usize) {
        self.0.rows.inc_by(u64::try_from(rows).unwrap_or(u64::MAX));
    }

    /// Returns all metrics as text, in the format of OpenMetrics 1.0.
    pub fn text(&self) -> String {
        let gauges = self.0.gauges.lock().unwrap_or_else(PoisonError::into_inner);
        for (gauge, read) in gauges.iter() {
            gauge.set(read());
        }
        drop(gauges);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _written = encode(&mut text, &self.registry());
        text
    }
}

/// A call of the store that is under way.
pub(crate) struct Call {
    latency: Histogram,
    under_way: Gauge,
    begun: std::time::Instant,
}

impl Drop for Call {
    fn drop(&mut self) {
        self.under_way.dec();
        self.latency.observe(self.begun.elapsed().as_secs_f64());
    }
}
