//! `ks`, the command of 1986: two people, and no server between them.
//!
//! One end is the host: the referee is in its process, as a [`club::Club`] with
//! one game over a file. The other end, the guest, is sent over an encrypted
//! [`Channel`] what its player may know, and nothing else. The game travels in the
//! messages of crate `wire`.
//!
//! - [`read_options`] reads the words of the command;
//! - [`CoinShare`] and [`Agreed`] are the coin: commit, then reveal;
//! - [`Host`] and [`Guest`] are the two ends, each with a [`Player`];
//! - [`StateFile`] and [`Journal`] keep what an end needs after a crash.

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
