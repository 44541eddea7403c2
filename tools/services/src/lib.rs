//! Servers of other projects on loopback, for tests and trials: [`Postgres`].
//!
//! A server uses a temporary folder and a free port. It ends when its value is dropped, or when the
//! process that started it ends. The programs come from Debian's package
//! `postgresql`; `cargo xtask setup` installs them.
//!
//! This crate must never know about the club.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Folder with Debian's versions of PostgreSQL. Its programs are used if `PATH` has none.
const POSTGRES_FOLDERS: &str = "/usr/lib/postgresql";

/// Folder whose files are in memory.
const MEMORY: &str = "/dev/shm";

/// Beginning of the names of temporary folders.
const PREFIX: &str = "kriegspiel-postgres-";

/// Accounts for PostgreSQL, which refuses to run as root. If this process runs as root, PostgreSQL
/// runs under the first of these accounts that exists.
const ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// Maximum time until a new standby has received everything that its primary server has.
const STANDBY_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum number of free ports that a new server tries. Another program can take a port between
/// [`free_port`] and the start of the server.
const PORTS: u32 = 3;

/// Text in the error of a server whose port another program uses.
const IN_USE: &str = "address already in use";

/// Maximum time until a server that starts again has its port.
const PORT_TIMEOUT: Duration = Duration::from_secs(10);

/// Error: a server could not be started.
#[derive(Debug)]
pub struct ServiceError(String);

impl std::fmt::Display for ServiceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServiceError {}

impl ServiceError {
    /// Whether the server could not start because another program uses its port.
    fn is_port_in_use(&self) -> bool {
        self.0.to_lowercase().contains(IN_USE)
    }
}

impl From<io::Error> for ServiceError {
    fn from(error: io::Error) -> ServiceError {
        ServiceError(error.to_string())
    }
}

/// A PostgreSQL server with an empty database `postgres`.
///
/// # Examples
///
/// ```
/// let server = services::Postgres::start()?;
/// assert!(server.address().starts_with("postgres://kriegspiel@127.0.0.1:"));
/// # Ok::<(), services::ServiceError>(())
/// ```
#[derive(Debug)]
pub struct Postgres {
    folder: Folder,
    port: u16,
    child: Option<Child>,
}

/// A temporary folder. It is removed when its value is dropped.
#[derive(Debug)]
struct Folder(TempDir);

impl Folder {
    fn new() -> io::Result<Folder> {
        // The folder is in memory if possible, because a sync takes no time there. The data remains
        // when the server ends.
        let folder = TempDir::with_prefix_in(PREFIX, MEMORY);
        folder.or_else(|_| TempDir::with_prefix(PREFIX)).map(Folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Makes this account the owner of the folder.
    fn give_to(&self, account: Option<&str>) -> Result<(), ServiceError> {
        let Some(account) = account else {
            return Ok(());
        };
        let owner = format!("{account}:{}", account_group(account));
        let given = Command::new("chown").arg(owner).arg(self.path()).output()?;
        if given.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&given.stderr);
        Err(ServiceError(format!("chown: {said}")))
    }
}

/// Returns a port of 127.0.0.1 that is free now.
///
/// # Errors
/// No port is free.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.starts_with(b"0\n"))
}

/// Returns the system account for PostgreSQL. `None`: PostgreSQL runs under the account of this
/// process.
fn account() -> Option<&'static str> {
    let exists = |name: &&&str| {
        let id = Command::new("id").arg(name).output();
        id.is_ok_and(|id| id.status.success())
    };
    is_root().then(|| ACCOUNTS.iter().find(exists).copied())?
}

/// Returns a command that runs `program` under `account`. The program gets `signal` when this
/// process ends.
fn command(program: &Path, account: Option<&str>, signal: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", signal]);
    if let Some(account) = account {
        command.args(["--reuid", account, "--regid", account_group(account)]);
        command.arg("--clear-groups");
    }
    command.arg("--").arg(program);
    command.stdin(Stdio::null());
    command
}

fn account_group(account: &str) -> &str {
    if account == "nobody" {
        "nogroup"
    } else {
        account
    }
}

/// Finds a program of PostgreSQL: in `PATH`, or in the newest of Debian's folders.
fn postgres_program(name: &str) -> Result<PathBuf, ServiceError> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    if let Ok(versions) = fs::read_dir(POSTGRES_FOLDERS) {
        let mut versions: Vec<_> = versions.flatten().map(|entry| entry.path()).collect();
        let number = |path: &PathBuf| -> u32 {
            let name = path.file_name().and_then(|name| name.to_str());
            name.and_then(|name| name.parse().ok()).unwrap_or(0)
        };
        versions.sort_by_key(number);
        folders.extend(versions.into_iter().rev().map(|path| path.join("bin")));
    }
    let programs = folders.into_iter().map(|folder| folder.join(name));
    let found = programs.into_iter().find(|program| program.is_file());
    found.ok_or_else(|| {
        ServiceError(format!(
            "the program `{name}` is missing: install PostgreSQL (Debian package postgresql), or \
             run `cargo xtask setup`"
        ))
    })
}

/// Starts a server, and waits until it writes a line that contains the text `ready` to its standard
/// error.
fn start(mut command: Command, name: &str, ready: &str) -> Result<Child, ServiceError> {
    let started = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = started.map_err(|error| ServiceError(format!("{name}: {error}")))?;
    let Some(output) = child.stderr.take() else {
        return Err(ServiceError(format!("{name} has no output")));
    };
    let mut lines = BufReader::new(output).lines();
    let mut said = String::new();
    for line in lines.by_ref() {
        let line = line?;
        if line.contains(ready) {
            // All later messages are read and dropped, because the server would wait if the pipe
            // were full.
            thread::spawn(move || lines.for_each(drop));
            return Ok(child);
        }
        said.push_str(&line);
        said.push('\n');
    }
    let _status = child.wait();
    Err(ServiceError(format!("{name} did not start:\n{said}")))
}

/// Calls `attempt` with a free port. If another program takes this port first, calls `attempt` with
/// another port, up to [`PORTS`] times in all. Returns the last result.
fn on_free_port<T>(
    mut attempt: impl FnMut(u16) -> Result<T, ServiceError>,
) -> Result<T, ServiceError> {
    for _ in 1..PORTS {
        match attempt(free_port()?) {
            Err(error) if error.is_port_in_use() => {}
            result => return result,
        }
    }
    attempt(free_port()?)
}

/// Calls `attempt` until the port of the server is not in use, or [`PORT_TIMEOUT`] has passed.
#[allow(clippy::disallowed_methods, reason = "only tests and trials wait here")]
fn when_port_is_free<T>(
    mut attempt: impl FnMut() -> Result<T, ServiceError>,
) -> Result<T, ServiceError> {
    let until = Instant::now() + PORT_TIMEOUT;
    loop {
        match attempt() {
            Err(error) if error.is_port_in_use() && Instant::now() < until => {
                thread::sleep(Duration::from_millis(100));
            }
            result => return result,
        }
    }
}

impl Postgres {
    /// Creates a database in a temporary folder and starts its server.
    ///
    /// # Errors
    /// PostgreSQL is missing or does not start.
    pub fn start() -> Result<Postgres, ServiceError> {
        Postgres::start_with(&[])
    }

    /// Starts a server with settings, for example `("fsync", "off")`.
    ///
    /// # Errors
    /// PostgreSQL is missing or does not start.
    pub fn start_with(settings: &[(&str, &str)]) -> Result<Postgres, ServiceError> {
        let folder = Folder::new()?;
        let (account, data) = (account(), folder.path().join("data"));
        folder.give_to(account)?;
        let created = command(&postgres_program("initdb")?, account, "KILL")
            .args(["--username=kriegspiel", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "--wal-segsize=1", "--pgdata"])
            .arg(&data)
            .output()?;
        if !created.status.success() {
            return Err(ServiceError(format!(
                "initdb: {}",
                String::from_utf8_lossy(&created.stderr)
            )));
        }
        let mut file = fs::OpenOptions::new()
            .append(true)
            .open(data.join("postgresql.conf"))?;
        writeln!(file, "shared_buffers = 32MB\nmax_connections = 200")?;
        for (name, value) in settings {
            writeln!(file, "{name} = '{value}'")?;
        }
        drop(file);
        let mut server = Postgres {
            folder,
            port: 0,
            child: None,
        };
        server.start_on_free_port()?;
        Ok(server)
    }

    fn start_on_free_port(&mut self) -> Result<(), ServiceError> {
        on_free_port(|port| {
            self.port = port;
            self.start_on_port()
        })
    }

    /// Starts the server again after [`kill`](Postgres::kill), at the same address.
    ///
    /// # Errors
    /// The server does not start.
    pub fn resume(&mut self) -> Result<(), ServiceError> {
        when_port_is_free(|| self.start_on_port())
    }

    fn start_on_port(&mut self) -> Result<(), ServiceError> {
        // The server gets SIGQUIT when this process ends: then all processes of the server end at
        // once.
        let mut command = command(&postgres_program("postgres")?, account(), "QUIT");
        command
            .arg("-D")
            .arg(self.folder.path().join("data"))
            .arg("-k")
            .arg(self.folder.path())
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
        // A standby writes a longer line, because it accepts only read-only connections. This
        // beginning is common to both lines.
        let ready = "database system is ready to accept";
        self.child = Some(start(command, "PostgreSQL", ready)?);
        Ok(())
    }

    /// Creates a standby of this server and starts it. From then on, every commit waits until the
    /// standby has it on disk.
    ///
    /// # Errors
    /// The standby cannot be created or does not start.
    pub fn synchronous_standby(&self) -> Result<Postgres, ServiceError> {
        let standby = self.standby()?;
        self.run("alter system set synchronous_standby_names = 'standby'")?;
        self.run("select pg_reload_conf()")?;
        self.wait_for_standby("sync_state = 'sync'")?;
        Ok(standby)
    }

    /// Creates a standby of this server, starts it, and waits until it receives what is written.
    /// Commits do not wait for the standby.
    ///
    /// # Errors
    /// The standby cannot be created or does not start.
    pub fn standby(&self) -> Result<Postgres, ServiceError> {
        let folder = Folder::new()?;
        let (account, data) = (account(), folder.path().join("data"));
        folder.give_to(account)?;
        let source = format!(
            "host=127.0.0.1 port={} user=kriegspiel application_name=standby",
            self.port
        );
        let copied = command(&postgres_program("pg_basebackup")?, account, "KILL")
            .args(["--dbname", &source, "--pgdata"])
            .arg(&data)
            .args(["--checkpoint=fast", "--wal-method=stream", "--no-sync"])
            .arg("--write-recovery-conf")
            .output()?;
        if !copied.status.success() {
            return Err(ServiceError(format!(
                "pg_basebackup: {}",
                String::from_utf8_lossy(&copied.stderr)
            )));
        }
        let mut standby = Postgres {
            folder,
            port: 0,
            child: None,
        };
        standby.start_on_free_port()?;
        self.wait_for_standby("state = 'streaming'")?;
        Ok(standby)
    }

    /// Waits until this server has one standby for which `condition` is true.
    #[allow(clippy::disallowed_methods, reason = "only tests and trials wait here")]
    fn wait_for_standby(&self, condition: &str) -> Result<(), ServiceError> {
        let state = format!("select count(*) from pg_stat_replication where {condition}");
        let until = Instant::now() + STANDBY_TIMEOUT;
        while self.run(&state)? != "1" {
            if Instant::now() > until {
                return Err(ServiceError(format!("no standby has {condition}")));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Makes this standby a primary server. The old primary server must not run.
    ///
    /// # Errors
    /// The server is not a standby, or does not become a primary server within a minute.
    pub fn promote(&self) -> Result<(), ServiceError> {
        match self.run("select pg_promote()")?.as_str() {
            "t" => Ok(()),
            other => Err(ServiceError(format!("pg_promote: {other}"))),
        }
    }

    /// Stops the server at once, as a crash would.
    pub fn kill(&mut self) {
        end(&mut self.child, "QUIT");
    }

    /// Returns the port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the address of the database. The server needs no password.
    pub fn address(&self) -> String {
        format!("postgres://kriegspiel@127.0.0.1:{}/postgres", self.port)
    }

    /// Creates a schema in the database, and returns an address that selects this schema. For a
    /// test that connects to this address, the database is empty.
    ///
    /// # Errors
    /// The schema cannot be created.
    pub fn schema(&self, name: &str) -> Result<String, ServiceError> {
        self.run(&format!("create schema \"{name}\""))?;
        Ok(format!("{}?options[search_path]={name}", self.address()))
    }

    /// Runs a statement with `psql`, and returns the values that it gives.
    ///
    /// # Errors
    /// The statement fails.
    pub fn run(&self, sql: &str) -> Result<String, ServiceError> {
        let done = Command::new(postgres_program("psql")?)
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"])
            .args(["--set", "ON_ERROR_STOP=1", "--dbname", &self.address()])
            .args(["--command", sql])
            .stdin(Stdio::null())
            .output()?;
        if done.status.success() {
            Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
        } else {
            Err(ServiceError(format!(
                "psql: {}",
                String::from_utf8_lossy(&done.stderr)
            )))
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends a server with a signal, and waits until it has ended.
fn end(child: &mut Option<Child>, signal: &str) {
    let Some(mut child) = child.take() else {
        return;
    };
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status();
    if !sent.is_ok_and(|sent| sent.success()) {
        // An error means that the server has already ended.
        let _ignored = child.kill();
    }
    let _status = child.wait();
}
