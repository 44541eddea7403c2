//! The sign-in dialogue.

use std::{net::IpAddr, time::Duration};

use club::Account;
use tokio::time::timeout;
use wire::RefusalCode;

use super::{session::Session, state::IcsState};
use crate::base::{
    Console, Input, Lines, Output,
    telnet::{HIDE, SHOW},
};

/// A client must sign in within this time.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(60);
/// Number of wrong passwords after which the connection is closed.
const MAX_WRONG: u32 = 3;
/// Number of times that the name is asked for before the connection is closed.
const MAX_ASKED: u32 = 6;

// This text must not contain the name of another server: clients change their
// behaviour when they see such a name.
const WELCOME: &str = "
    Kriegspiel Umpire: chess in which you see your own men only.

Type the name of your account, or `guest` to come in as a guest.

";

/// Serves one client from its first line to its last line.
pub async fn converse(state: IcsState, mut console: Console) {
    let output = console.output.clone();
    let session = async {
        output.say(WELCOME);
        let mut login = Login {
            state: &state,
            address: console.address.ip(),
            lines: &mut console.lines,
            output: &output,
        };
        let account = match timeout(LOGIN_TIMEOUT, login.account()).await {
            Ok(account) => account,
            Err(_) => {
                output.bytes(SHOW.to_vec());
                output.say("\nYou have not signed in within a minute. Good-bye; connect again.\n");
                None
            }
        };
        if let Some(account) = account {
            console.named();
            let (number, notes) = state.enter(&account);
            let _leaves = Leaves(&state, number);
            let own = account.clone();
            let session = Session::new(state.clone(), number, account, output.clone());
            tokio::select! {
                () = session.run(&mut console.lines, notes) => {}
                () = state.club().account_ends(&own) => output.say(
                    "\n\nYour password was changed, or your account was closed. Sign in again.\n",
                ),
            }
        }
    };
    tokio::select! {
        biased;
        () = session => {}
        () = state.closing().closed() => output.say(
            "\n\nThe club is closing. Your game is saved, and continues when the club opens again.\n",
        ),
    }
    console.lines.close().await;
}

/// Guard that removes the console from the state, also if the conversation is
/// cancelled.
struct Leaves<'a>(&'a IcsState, u64);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

struct Login<'a> {
    state: &'a IcsState,
    address: IpAddr,
    lines: &'a mut Lines,
    output: &'a Output,
}

impl Login<'_> {
    /// Reads a line. Returns `None` if the client has disconnected.
    async fn line(&mut self) -> Option<String> {
        loop {
            match self.lines.next().await {
                Ok(Input::Line(line)) => return Some(line.trim().to_owned()),
                Ok(Input::TooLong) => self
                    .output
                    .say("That line is too long: names are short.\nlogin: "),
                Ok(Input::Interrupt) | Err(_) => return None,
            }
        }
    }

    /// Tells the client why the sign-in fails.
    fn refuse(&self, why: &str) -> Option<Account> {
        self.output.say(why);
        None
    }

    /// Returns the account that signs in, or `None` if the connection is to be
    /// closed.
    async fn account(&mut self) -> Option<Account> {
        let (mut asked, mut wrong) = (0, 0);
        loop {
            self.output.say("login: ");
            let name = self.line().await?;
            match name.to_ascii_lowercase().as_str() {
                "" => {}
                "guest" | "g" => return self.guest().await,
                "quit" | "exit" | "bye" => return self.refuse("Good-bye.\n"),
                "help" | "?" | "who" | "new" | "register" => self.output.say(
                    "Type `guest` to come in without an account, or the name of your account.\n\
                     Accounts are made on the club's page.\n",
                ),
                _ => {
                    if let Some(account) = self.password(&name).await? {
                        return Some(account);
                    }
                    wrong += 1;
                }
            }
            asked += 1;
            if wrong >= MAX_WRONG || asked >= MAX_ASKED {
                return self.refuse("Too many failed sign-ins. Good-bye; connect again.\n");
            }
        }
    }

    async fn guest(&mut self) -> Option<Account> {
        if self.state.is_too_many(self.address, true) {
            return self.refuse("Too many guests from your address: connect again in an hour.\n");
        }
        match self.state.club().guest().await {
            Ok(account) => Some(account),
            Err(error) => self.refuse(&format!("{error}\n")),
        }
    }

    /// Asks for a password, which the client does not show. Returns `None` if
    /// the connection is to be closed, and `Some(None)` if the password is
    /// wrong.
    async fn password(&mut self, name: &str) -> Option<Option<Account>> {
        self.output.bytes(HIDE.to_vec());
        self.output.say("password: ");
        let password = self.line().await;
        self.output.bytes(SHOW.to_vec());
        self.output.say("\n");
        let password = password?;
        if self.state.is_too_many(self.address, false) {
            self.refuse(
                "Too many passwords from your address: wait a minute, and connect again.\n",
            );
            return None;
        }
        let signed_in = self.state.club().sign_in(name, &password);
        let why = match signed_in.await {
            Ok(account) => return Some(Some(account)),
            Err(error) if error.code == RefusalCode::WrongPassword => {
                "The name or the password is wrong: try again, or sign in as `guest`.\n".to_owned()
            }
            Err(error) => format!("{error}\n"),
        };
        Some(self.refuse(&why))
    }
}
