//! How one comes in.

use club::{Account, Code};
use tokio::time::{Instant, timeout_at};

use super::{hall::Hall, session::Session};
use crate::{
    Console, Input,
    telnet::{HIDE, SHOW},
};

/// So many wrong answers, and he is sent away.
const MOST_WRONG: u32 = 3;
/// So many names that are none.
const MOST_ASKED: u32 = 6;

// No word of this may be the name of another server: clients change their
// habits by it.
const WELCOME: &str = "
    Kriegspiel Umpire: chess in which you see your own men only.

Type the name of your account, or `guest` to come in as a guest.

";

/// One console, from its first line to its last.
pub async fn converse(hall: Hall, console: Console) {
    let Console {
        mut lines,
        paper,
        address,
    } = console;
    let mut closing = hall.closing();
    let come = async {
        let until = Instant::now() + hall.patience().login;
        paper.say(WELCOME);
        let mut login = Login {
            hall: &hall,
            address: address.ip(),
            lines: &mut lines,
            say: &|text| paper.say(text),
            hide: &|hidden| paper.bytes(if hidden { HIDE.to_vec() } else { SHOW.to_vec() }),
        };
        let came = match timeout_at(until, login.account()).await {
            Ok(came) => came,
            Err(_) => {
                paper.bytes(SHOW.to_vec());
                paper.say("\nNobody has signed in here for a minute. Good-bye; come again.\n");
                None
            }
        };
        if let Some(account) = came {
            let (number, notes) = hall.enter(&account);
            let _leaves = Leaves(&hall, number);
            let session = Session::new(hall.clone(), number, account, paper.clone());
            session.run(&mut lines, notes).await;
        }
    };
    let closes = async {
        let _gone = closing.wait_for(|closes| *closes).await;
    };
    tokio::select! {
        biased;
        () = come => {}
        () = closes => paper.say(
            "\n\nThe club is closing. Your game is kept, and goes on when it opens again.\n",
        ),
    }
    lines.close().await;
}

/// Leaves the hall, also when the conversation is broken off.
struct Leaves<'a>(&'a Hall, u64);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

struct Login<'a> {
    hall: &'a Hall,
    address: std::net::IpAddr,
    lines: &'a mut crate::Lines,
    say: &'a (dyn Fn(&str) + Send + Sync),
    hide: &'a (dyn Fn(bool) + Send + Sync),
}

impl Login<'_> {
    async fn line(&mut self) -> Option<String> {
        loop {
            match self.lines.next().await {
                Ok(Input::Line(line)) => return Some(line.trim().to_owned()),
                Ok(Input::TooLong) => {
                    (self.say)("That line is too long: names are short.\nlogin: ")
                }
                Ok(Input::Interrupt) | Err(_) => return None,
            }
        }
    }

    /// Who comes in; nobody, if he is sent away or has hung up.
    async fn account(&mut self) -> Option<Account> {
        let (mut asked, mut wrong) = (0, 0);
        loop {
            (self.say)("login: ");
            let name = self.line().await?;
            match name.to_ascii_lowercase().as_str() {
                "" => {}
                "guest" | "g" => return self.guest().await,
                "quit" | "exit" | "bye" => {
                    (self.say)("Good-bye.\n");
                    return None;
                }
                "help" | "?" | "who" | "new" | "register" => (self.say)(
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
            if wrong >= MOST_WRONG || asked >= MOST_ASKED {
                (self.say)("That was not right often enough. Good-bye; come again.\n");
                return None;
            }
        }
    }

    async fn guest(&mut self) -> Option<Account> {
        if self.hall.is_too_many(self.address, true) {
            (self.say)("Too many guests from your address: come again in an hour.\n");
            return None;
        }
        match self.hall.club().guest().await {
            Ok(account) => Some(account),
            Err(error) => {
                (self.say)(&format!("{error}\n"));
                None
            }
        }
    }

    /// Asks for a password, which is not shown. The outer nothing: he has hung up.
    async fn password(&mut self, name: &str) -> Option<Option<Account>> {
        (self.hide)(true);
        (self.say)("password: ");
        let password = self.line().await;
        (self.hide)(false);
        (self.say)("\n");
        let password = password?;
        if self.hall.is_too_many(self.address, false) {
            (self.say)("Too many passwords from your address: wait a minute, and come again.\n");
            return None;
        }
        match self.hall.club().sign_in(name, &password).await {
            Ok(account) => Some(Some(account)),
            Err(error) if error.code == Code::WrongPassword => {
                (self.say)("Name and password do not fit: try again, or come in as `guest`.\n");
                Some(None)
            }
            Err(error) => {
                (self.say)(&format!("{error}\n"));
                Some(None)
            }
        }
    }
}
