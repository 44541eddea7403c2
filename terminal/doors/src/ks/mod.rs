//! The command `ks`, modelled on the program `ks` of 1986: two people play without a server.
//!
//! One end is the host. The host's process runs the referee, as a [`club::Club`] with one game in a
//! file. The other end is the guest. The host sends to the guest, over an encrypted [`Channel`],
//! only what the guest's player may know. The crate `wire` defines the messages about the game.
//!
//! - [`read_options`] parses the arguments of the command.
//! - [`CoinShare`] and [`Agreed`] are the coin toss: both ends commit, then
//!   both reveal.
//! - [`Host`] and [`Guest`] are the two ends, each with a [`Player`].
//! - [`StateFile`] and [`Journal`] store what an end needs after a crash.

mod channel;
mod coin;
mod guest;
mod host;
mod journal;
mod key;
mod meet;
mod options;
mod player;
mod says;
mod score;
mod seat;
mod show;
mod state_file;

pub use self::{
    channel::{ByteStream, Channel, ChannelError, MAX_MESSAGE_BYTES, Timeouts, message, pair},
    coin::{Agreed, Bytes32, Coin, CoinShare, Endpoint},
    guest::{Guest, GuestEnd},
    host::{Host, HostError},
    journal::{Journal, JournalEntry, JournalRequest},
    key::{GameKey, ParseKeyError},
    meet::{Next, Offered, OpenOffers, answer, may_accept},
    options::{
        FIRST_PORT, Options, ParsedCommand, Wish, Wishes, is_name, read_options, rules_options,
    },
    player::{Player, Reaction},
    says::{GuestSays, Hello, HostSays, VERSION, pieces, plain},
    seat::{Left, PgnWriter, ServedSeat, Talk, serve},
    show::{HELP, board},
    state_file::{AgreedGame, GuestState, HostState, StateFile},
};
