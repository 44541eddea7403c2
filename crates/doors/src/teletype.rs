//! UMPIRE's dialogue of 1965, for two teletypes.

use std::future::Future;

use club::Club;
use tokio::net::TcpListener;

/// How teletypes are treated.
#[derive(Copy, Clone, Debug, Default)]
pub struct Settings {
    /// The short cuts of 1965: queens only, mate and stalemate not recognised.
    pub as_in_1965: bool,
    /// How many characters a second are written; `None`: as fast as it goes.
    pub cps: Option<u32>,
}

/// Lets teletypes in until `closes`.
pub async fn serve(
    listener: TcpListener,
    club: Club,
    settings: Settings,
    closes: impl Future<Output = ()>,
) {
    let _ = (listener, club, settings);
    closes.await;
}
