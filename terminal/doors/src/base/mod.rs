//! Common parts of all doors: lines over telnet, the accept loop with its
//! limits, and the description of a door for `serve`.

mod console;
mod door;
mod listen;
mod options;
pub mod telnet;
mod wrap;

pub(crate) use self::{console::per_second, wrap::wrap};
pub use self::{
    console::{ConnectionLimits, Console, Disconnected, Lines, Output},
    door::{BindError, Closing, Door, DoorLimits, DoorSetup, OpenDoor, Task, bind},
    listen::listen,
    options::{DoorAddress, DoorOption, FromFile, OptionKind, Options, Value},
    telnet::Input,
};
