//! The dialect of internet chess servers, for their clients and for bare
//! telnet.

use std::future::Future;

use club::Club;
use tokio::net::TcpListener;

/// Lets clients in until `closes`.
pub async fn serve(listener: TcpListener, club: Club, closes: impl Future<Output = ()>) {
    let _ = (listener, club);
    closes.await;
}
