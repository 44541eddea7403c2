//! Mail, where the operator has set a server for it (SMTP): links that confirm an address or set a
//! new password, and digests of turns. Each mail is in English and in German.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use club::{AccountId, Club, Digest};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::AsyncSmtpTransportBuilder,
};
use limits::Buckets;
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval},
};
use wire::RefusalCode;

use crate::refusal::Refusal;

/// The server for mail must answer within this time.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Number of requested mails that wait to be sent.
const MAX_WAITING: usize = 100;
/// Number of mails with links to one address within [`LINKS_SPAN`].
const LINKS: u32 = 3;
const LINKS_SPAN: Duration = Duration::from_secs(3600);
/// Interval between checks which digests are due.
const DIGEST_CHECK: Duration = Duration::from_secs(300);

/// The server for mail, and the sender.
#[derive(Clone, Debug)]
pub struct MailConfig {
    /// How to reach the server.
    pub server: AsyncSmtpTransportBuilder,
    /// Sender.
    pub from: Mailbox,
    /// Address of the club, without a slash at the end.
    pub club: String,
}

impl MailConfig {
    /// Reads the address of a server (`smtps://USER:PASSWORD@HOST`), and the sender.
    pub fn read(server: &str, from: &str, club: &str) -> Option<MailConfig> {
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(server).ok()?;
        Some(MailConfig {
            server: server.timeout(Some(TIMEOUT)),
            from: from.parse().ok()?,
            club: club.to_owned(),
        })
    }
}

/// A mail that somebody asked for.
pub enum AskedMail {
    /// The link that confirms an address: address, name of the account, secret of the link.
    Confirm(Address, String, String),
    /// Links that set new passwords of the accounts with this address, if there are any.
    Password(Address),
}

/// Sender of mail.
pub struct Mailer {
    config: MailConfig,
    transport: AsyncSmtpTransport<Tokio1Executor>,
    asked: mpsc::Sender<AskedMail>,
    waiting: Mutex<Option<mpsc::Receiver<AskedMail>>>,
    links: Buckets<Address>,
}

impl Mailer {
    /// Creates a sender. [`run`](Mailer::run) sends.
    pub fn new(config: MailConfig) -> Mailer {
        let (asked, waiting) = mpsc::channel(MAX_WAITING);
        Mailer {
            transport: config.server.clone().build(),
            config,
            asked,
            waiting: Mutex::new(Some(waiting)),
            links: Buckets::default(),
        }
    }

    /// Lets a mail be sent later, so that the time tells nothing of its address.
    ///
    /// # Errors
    /// If too many mails wait.
    pub fn ask(&self, mail: AskedMail) -> Result<(), Refusal> {
        self.asked.try_send(mail).map_err(|_| {
            let why = "the club has too many mails to send: ask again in a minute";
            Refusal::new(RefusalCode::Unavailable, why).because("mail-busy")
        })
    }

    async fn send(&self, to: Address, subject: &str, text: String, unsubscribe: Option<&str>) {
        let domain = self.config.from.email.domain();
        let id = format!("<{:032x}@{domain}>", rand::random::<u128>());
        let header = |name, value| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
        let mut mail = Message::builder()
            .from(self.config.from.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .message_id(Some(id))
            .header(ContentType::TEXT_PLAIN)
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
        if let Some(secret) = unsubscribe {
            let url = format!("<{}/api/mail/unsubscribe?link={secret}>", self.config.club);
            let one_click = "List-Unsubscribe=One-Click".to_owned();
            mail = mail
                .raw_header(header("List-Unsubscribe", url))
                .raw_header(header("List-Unsubscribe-Post", one_click));
        }
        let Ok(mail) = mail.body(text) else { return };
        if let Err(error) = self.transport.send(mail).await {
            // The server's answer can contain the address.
            let status = error.status().map(|code| code.to_string());
            tracing::warn!(status, "a mail could not be sent");
        }
    }

    /// Returns the host of the club, as subjects name it.
    fn host(&self) -> &str {
        let club = &self.config.club;
        club.split_once("://").map_or(club, |(_, host)| host)
    }

    async fn send_asked(&self, of: &Club, mail: AskedMail) {
        let (club, host) = (&self.config.club, self.host());
        let (AskedMail::Confirm(to, ..) | AskedMail::Password(to)) = &mail;
        if self.links.count(to.clone(), LINKS, LINKS_SPAN).is_err() {
            return;
        }
        let (to, subject, text) = match mail {
            AskedMail::Confirm(to, name, secret) => {
                let link = format!("{club}/settings#confirm={secret}");
                let subject = format!("Confirm your address / Adresse bestätigen: {host}");
                let text = format!(
                    "{name} at {club} gave this address. If that was you, confirm it within a day. \
                     If not, do nothing.\n\n{link}\n\n{name} hat bei {club} diese Adresse angegeben. \
                     Wenn du das warst, bestätige sie innerhalb eines Tages mit dem Link. Wenn nicht, \
                     tu nichts.\n"
                );
                (to, subject, text)
            }
            AskedMail::Password(to) => {
                let links = of.password_links(to.as_ref()).await;
                let links: Vec<String> = links
                    .unwrap_or_default()
                    .into_iter()
                    .map(|(name, secret)| format!("{name}: {club}/settings#password={secret}\n"))
                    .collect();
                if links.is_empty() {
                    return;
                }
                let (subject, links) = (
                    format!("New password / Neues Passwort: {host}"),
                    links.concat(),
                );
                let text = format!(
                    "Somebody, probably you, forgot the password at {club}. This link sets a new one, \
                     once and within an hour. If it was not you, do nothing.\n\n{links}\nJemand, \
                     vermutlich du, hat das Passwort bei {club} vergessen. Der Link setzt ein neues, \
                     einmal und innerhalb einer Stunde. Wenn du das nicht warst, tu nichts.\n"
                );
                (to, subject, text)
            }
        };
        self.send(to, &subject, text, None).await;
    }

    async fn send_digest(&self, digest: Digest) {
        let Ok(to) = digest.address.parse() else {
            return;
        };
        let (club, host, secret) = (&self.config.club, self.host(), &digest.unsubscribe);
        let games = digest.games.iter();
        let games: String = games
            .map(|(id, name)| format!("{name}: {club}/game/{id}\n"))
            .collect();
        let subject = format!("Your turn / Du bist am Zug: {host}");
        let text = format!(
            "{}: it is your turn. / Du bist am Zug.\n\n{games}\nNo more such mails / Keine solchen \
             Mails mehr: {club}/settings#unsubscribe={secret}\n",
            digest.account.name
        );
        self.send(to, &subject, text, Some(secret)).await;
    }

    /// Sends the digests that are due. `is_here` says who needs none.
    pub async fn send_digests(&self, club: &Club, is_here: impl Fn(AccountId) -> bool) {
        // If the store fails, the next check tries again.
        for digest in club.take_digests(is_here).await.unwrap_or_default() {
            self.send_digest(digest).await;
        }
    }

    /// Sends mail until the returned future is dropped.
    pub async fn run(&self, club: &Club, is_here: impl Fn(AccountId) -> bool) {
        let waiting = self.waiting.lock();
        let waiting = waiting.unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut waiting) = waiting else { return };
        let mut notices = club.notices();
        let asked = async {
            while let Some(mail) = waiting.recv().await {
                self.send_asked(club, mail).await;
            }
        };
        let noted = async {
            while let Some(notice) = notices.next().await {
                // A notice that cannot be stored is lost.
                let _lost = club.note_turn(&notice).await;
            }
        };
        let digests = async {
            let mut checks = interval(DIGEST_CHECK);
            checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                checks.tick().await;
                self.send_digests(club, &is_here).await;
            }
        };
        tokio::join!(asked, noted, digests);
    }
}
