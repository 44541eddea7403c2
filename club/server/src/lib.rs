//! The club over HTTP and WebSocket, and its web page.
//!
//! [`Server`] serves a [`Club`](club::Club): the API under `/api`, the socket, and the page. The
//! API is described in docs/api.md and by the document at `/api/openapi.json`. Accounts, games,
//! clocks and the referee belong to the club. This crate adds the HTTP routes, limits, headers, and
//! the built-in bots.
//!
//! This crate does not depend on the referee or the store. This crate only sends views that the
//! club has made for the reader.
//!
//! ```no_run
//! # async fn example(club: club::Club) -> Result<(), Box<dyn std::error::Error>> {
//! use server::{Given, Server};
//!
//! let config = Given::default().settle()?;
//! let listener = tokio::net::TcpListener::bind(config.listen).await?;
//! let server = Server::open(club, config).await?;
//! server.serve(listener, server::signal()).await?;
//! # Ok(())
//! # }
//! ```

mod app;
mod body;
mod built_in_bots;
mod cache;
mod config;
mod door;
mod headers;
mod known_hosts;
mod lessons;
mod limit;
mod limited_stream;
mod log;
mod mail;
mod moment;
mod origin;
mod page;
mod plain;
mod problems;
mod public;
mod push;
mod queue;
mod reader;
mod refusal;
mod renderings;
mod retries;
mod reviews;
mod routes;
mod server;
mod signal;
mod socket;
mod standby;
mod studies;
mod terms;
mod turns;
mod vapid;
mod watching;

pub use crate::{
    app::Observer,
    config::{Config, ConfigError, Given, LogForm, PasswordCost},
    door::Stream,
    limit::Limits,
    log::begin as begin_log,
    push::{Dial, connect_public},
    routes::{described, umpire_view},
    server::Server,
    signal::signal,
    standby::standby,
    turns::TurnWork,
};
