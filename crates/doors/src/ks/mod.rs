//! `ks`, the command of 1986: two people, and no server between them.
//!
//! One end is the host: the referee sits in its process, as a [`club::Club`]
//! with one game over a file. The other, the guest, hears over a [`Line`]
//! that is locked with the game's key what its player may know, and nothing
//! else. Both players are a [`Player`], which folds what it hears.
//!
//! - [`read_options`] reads the words of the command;
//! - [`Lot`] and [`Agreed`] are the coin: commit, then reveal;
//! - [`Host`] presides, [`Guest`] calls;
//! - [`Book`] and [`Journal`] are what an end must not forget.

mod book;
mod coin;
mod guest;
mod host;
mod key;
mod line;
mod meet;
mod options;
mod player;
mod says;
mod score;
mod seat;
mod show;

pub use self::{
    book::{Book, Entry, GamePage, GuestPage, HostPage, Journal},
    coin::{Agreed, Bytes32, Coin, End, Lot},
    guest::{Guest, GuestEnd},
    host::{Host, HostError},
    key::{GameKey, ParseKeyError},
    line::{LONGEST, Line, LineError, Patience, message, pair},
    meet::{Next, Offered, Standing, answer, may_accept, options as rules_options},
    options::{Asked, FIRST_PORT, Options, OptionsError, Wish, Wishes, is_name, read_options},
    player::{Player, Reaction},
    says::{GuestSays, HostSays, VERSION, pieces, plain},
    seat::{Seat, Talk, Writes, serve},
    show::{HELP, board},
};
