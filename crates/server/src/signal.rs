//! The signals that end a program.

use std::future::Future;

/// Returns at the first SIGINT or SIGTERM; a second one ends the program at
/// once. They are listened to from the call on, and not only when it is waited
/// for, so that a signal that comes early closes the club in order too.
#[cfg(unix)]
pub fn signal() -> impl Future<Output = ()> + Send {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    async fn once(one: &mut Option<Signal>, other: &mut Option<Signal>) {
        let heard = async |signal: &mut Option<Signal>| match signal {
            Some(signal) => drop(signal.recv().await),
            // It cannot be listened to: the system ends the program by it.
            None => std::future::pending().await,
        };
        tokio::select! {
            () = heard(one) => {}
            () = heard(other) => {}
        }
    }

    let [mut int, mut term] =
        [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok());
    async move {
        once(&mut int, &mut term).await;
        tokio::spawn(async move {
            once(&mut int, &mut term).await;
            std::process::exit(130);
        });
    }
}

/// Returns at the first Ctrl-C; a second one ends the program at once.
#[cfg(not(unix))]
pub fn signal() -> impl Future<Output = ()> + Send {
    async fn once() {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without signals the program ends with its process.
            std::future::pending().await
        }
    }
    async {
        once().await;
        tokio::spawn(async {
            once().await;
            std::process::exit(130);
        });
    }
}
