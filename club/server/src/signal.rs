//! Signals that end a program.

use std::future::Future;

/// Waits for the first SIGINT or SIGTERM. A second signal ends the program immediately. This
/// function receives signals as soon as it is called, even before its future is polled. So a signal
/// that comes while the program starts also closes the club in an orderly way.
#[cfg(unix)]
pub fn signal() -> impl Future<Output = ()> + Send {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    async fn once(one: &mut Option<Signal>, other: &mut Option<Signal>) {
        let heard = async |signal: &mut Option<Signal>| match signal {
            Some(signal) => drop(signal.recv().await),
            // The signal cannot be received, so the operating system ends the program itself.
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

/// Waits for the first Ctrl-C. A second Ctrl-C ends the program immediately.
#[cfg(not(unix))]
pub fn signal() -> impl Future<Output = ()> + Send {
    async fn once() {
        if tokio::signal::ctrl_c().await.is_err() {
            // Ctrl-C cannot be received, so the operating system ends the program
            // itself.
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
