//! `cargo xtask cluster`: starts a club on several nodes behind a proxy, to try it and to test it.
//! The nodes share one Postgres database. One of them owns the games.
//!
//! Everything listens on loopback. The database is in a temporary folder, and is removed at the
//! end.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, sleep},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use services::Postgres;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::{e2e, run, serve, setup, workspace::Workspace};

/// Number of nodes.
const NODES: usize = 3;

/// Default port of the proxy.
const PORT: u16 = 8080;

/// Tools that the cluster needs, by their names in `setup`.
const TOOLS: [&str; 2] = ["postgres", "setpriv"];

/// Interval between two checks of the nodes.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Pause before a node that has ended is started again.
const RESTART_PAUSE: Duration = Duration::from_secs(2);

/// Maximum time that a node may need to end after SIGTERM.
const END_TIMEOUT: Duration = Duration::from_secs(20);

/// A node: a process of `kriegspiel serve`.
struct Node {
    number: usize,
    child: Child,
    address: SocketAddr,
    metrics: String,
    // Output of the node. The pipe is kept open, because a node that prints to a closed pipe would
    // fail.
    _output: BufReader<ChildStdout>,
}

/// Addresses of the nodes that the proxy knows.
type Addresses = Arc<Mutex<Vec<SocketAddr>>>;

/// How nodes are started.
struct Starter {
    program: PathBuf,
    data: String,
    /// Folder for the logs of the nodes.
    logs: PathBuf,
}

impl Starter {
    /// Starts a node, and waits until the node accepts connections.
    fn start(&self, number: usize) -> Result<Node> {
        let log = self.logs.join(format!("node-{number}.log"));
        let mut command = Command::new("setpriv");
        // With `setpriv`, the node gets SIGTERM if this program is killed. Then the node closes its
        // club before it ends.
        command
            .args(["--pdeathsig", "TERM", "--"])
            .arg(&self.program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(["--metrics", "127.0.0.1:0", "--data", &self.data]);
        // For a node, all clients of the proxy have the same address, so the limits for one address
        // are large.
        for limit in ["connections", "connections-in-all"] {
            command.args([format!("--{limit}"), "20000".to_owned()]);
        }
        for limit in ["requests", "guests", "accounts", "offers", "sign-ins"] {
            command.args([format!("--{limit}"), "1000000".to_owned()]);
        }
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("KRIEGSPIEL_") {
                command.env_remove(name);
            }
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::options().create(true).append(true).open(&log)?)
            // Only this program gets Ctrl-C. This program then sends SIGTERM to each node.
            .process_group(0);
        let mut child = command.spawn().context("cannot start a node")?;
        let output = child.stdout.take().context("a node has no output")?;
        let mut output = BufReader::new(output);
        let mut address = None;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line)? == 0 {
                let status = child.wait()?;
                let said = fs::read_to_string(&log).unwrap_or_default();
                bail!("node {number} did not open ({status}): {}", said.trim());
            }
            let word = |after| line.split_once(after).map(|(_, rest): (_, &str)| rest);
            if let Some(rest) = word("A standby waits at http://") {
                let text = rest.split(": ").next().unwrap_or_default();
                return Ok(Node {
                    number,
                    child,
                    address: text.parse().context("cannot read the address of a node")?,
                    metrics: "of a standby: none".to_owned(),
                    _output: output,
                });
            }
            if let Some(rest) = word("The club is open at http://") {
                let text = rest.split_whitespace().next().unwrap_or_default();
                address = Some(text.parse().context("cannot read the address of a node")?);
            }
            // The line about the metrics is the last line that the node prints when it opens.
            if let (Some(address), Some(metrics)) = (address, word("operator are at ")) {
                return Ok(Node {
                    number,
                    child,
                    address,
                    metrics: metrics.trim().to_owned(),
                    _output: output,
                });
            }
        }
    }
}

impl Node {
    /// Sends SIGTERM to the node, and waits until it has ended. Kills the node if it does not end
    /// within [`END_TIMEOUT`].
    fn end(&mut self) -> Result<ExitStatus> {
        signal(&self.child, "TERM");
        let until = Instant::now() + END_TIMEOUT;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            pause(POLL_INTERVAL);
        }
        self.child.kill()?;
        Ok(self.child.wait()?)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // If the process ended in time, the call has no effect.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Sends a signal to a child.
fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    // The process may have ended.
    let _sent = Command::new("kill").args(["-s", name, &pid]).status();
}

#[allow(clippy::disallowed_methods, reason = "other processes are waited for")]
fn pause(time: Duration) {
    sleep(time);
}

/// Accepts connections, and passes each to the next node that accepts it.
fn open_proxy(listener: TcpListener, nodes: Addresses) {
    let next = AtomicUsize::new(0);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let nodes = nodes.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let first = next.fetch_add(1, Ordering::Relaxed);
            thread::spawn(move || {
                let turn = |n| nodes.get((first + n) % nodes.len().max(1));
                let mut tried = (0..nodes.len()).filter_map(turn);
                if let Some(node) = tried.find_map(|node| TcpStream::connect(node).ok()) {
                    // The error means that one side has closed the connection.
                    let _closed = pass(&stream, &node);
                }
            });
        }
    });
}

/// Copies bytes in both directions until both sides have closed the connection.
fn pass(client: &TcpStream, node: &TcpStream) -> io::Result<()> {
    client.set_nodelay(true)?;
    node.set_nodelay(true)?;
    let (mut from_node, mut to_client) = (node.try_clone()?, client.try_clone()?);
    let back = thread::spawn(move || {
        let _closed = io::copy(&mut from_node, &mut to_client);
        // The node has closed the connection. This also ends the connection for the client, even if
        // the client never sends anything.
        let _closed = to_client.shutdown(Shutdown::Both);
    });
    let (mut from_client, mut to_node) = (client, node);
    let _closed = io::copy(&mut from_client, &mut to_node);
    let _closed = to_node.shutdown(Shutdown::Write);
    let _ended = back.join();
    Ok(())
}

/// A running cluster. Dropping it ends everything.
struct Cluster {
    nodes: Vec<Node>,
    starter: Starter,
    addresses: Addresses,
    proxy: SocketAddr,
    // This field is dropped last, so the nodes end before the database.
    postgres: Postgres,
}

impl Cluster {
    fn start(program: PathBuf, logs: PathBuf, port: u16) -> Result<Cluster> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| {
            format!("port {port} is in use: choose another one with `cargo xtask cluster PORT`")
        })?;
        let postgres = Postgres::start()?;
        fs::create_dir_all(&logs)?;
        let starter = Starter {
            program,
            data: postgres.address(),
            logs,
        };
        let mut nodes = Vec::new();
        for number in 1..=NODES {
            nodes.push(starter.start(number)?);
        }
        let cluster = Cluster {
            addresses: Addresses::default(),
            nodes,
            starter,
            proxy: listener.local_addr()?,
            postgres,
        };
        cluster.show_to_proxy();
        open_proxy(listener, Arc::clone(&cluster.addresses));
        Ok(cluster)
    }

    /// Passes the address of the node that owns the games to the proxy.
    fn show_to_proxy(&self) {
        let addresses = self.nodes.iter().map(|node| node.address);
        let addresses = addresses.filter(|address| is_owner(*address)).collect();
        *self
            .addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = addresses;
    }

    /// Restarts nodes that have ended, and finds the owner.
    fn look_at_nodes(&mut self) -> Result<()> {
        for place in 0..self.nodes.len() {
            let node = &mut self.nodes[place];
            let Some(status) = node.child.try_wait()? else {
                continue;
            };
            let number = node.number;
            println!("node {number} has ended ({status}); it is started again");
            let restart = Instant::now() + RESTART_PAUSE;
            while Instant::now() < restart {
                self.show_to_proxy();
                pause(POLL_INTERVAL);
            }
            self.nodes[place] = self.starter.start(number)?;
            self.print_node(&self.nodes[place]);
        }
        self.show_to_proxy();
        Ok(())
    }

    fn print_node(&self, node: &Node) {
        println!(
            "node {}     http://{}  process {}, figures {}",
            node.number,
            node.address,
            node.child.id(),
            node.metrics
        );
    }

    fn print(&self) {
        println!(
            "club       http://{}  a proxy, which gives each connection to the node that owns the games",
            self.proxy
        );
        for node in &self.nodes {
            self.print_node(node);
        }
        println!("database   {}", self.postgres.address());
        println!("logs       {}", self.starter.logs.display());
    }

    /// Shuts the nodes down one after the other, and then kills the database.
    fn end(mut self) -> Result<()> {
        for node in &mut self.nodes {
            let status = node.end()?;
            ensure!(status.success(), "node {} failed ({status})", node.number);
        }
        self.postgres.kill();
        Ok(())
    }
}

/// Starts the cluster, and shuts it down after Ctrl-C. With `--check`, plays games at the cluster
/// while a node is killed, and then shuts the cluster down.
///
/// # Errors
/// A tool is missing, or something does not start.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    let Words {
        port,
        is_check,
        program,
    } = Words::read(words)?;
    setup::require(workspace, &TOOLS)?;
    let program = match program {
        Some(program) => program,
        None if is_check => e2e::program(workspace)?,
        None => build(workspace)?,
    };
    if is_check {
        return check(workspace, program);
    }
    let stop = Arc::<AtomicBool>::default();
    for signal in [SIGINT, SIGTERM] {
        // The second signal ends this program at once. Then the nodes and the database end too,
        // because this program was their parent.
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    let mut cluster = Cluster::start(program.clone(), workspace.path("target/cluster"), port)?;
    cluster.print();
    println!(
        "load       {} load --url http://{} --games 20 --rate 40",
        program.display(),
        cluster.proxy
    );
    println!("A node that ends is started again. Ctrl-C ends everything, also the data.");
    while !stop.load(Ordering::Relaxed) {
        pause(POLL_INTERVAL);
        cluster.look_at_nodes()?;
    }
    println!("ending");
    cluster.end()
}

/// Arguments of the task.
#[derive(Debug, Eq, PartialEq)]
struct Words {
    port: u16,
    is_check: bool,
    /// Program to run. If it is not given, the program is built.
    program: Option<PathBuf>,
}

impl Words {
    fn read(words: &[String]) -> Result<Words> {
        let mut read = Words {
            port: PORT,
            is_check: false,
            program: None,
        };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--check" => (read.is_check, read.port) = (true, 0),
                "--program" => {
                    let file = words
                        .next()
                        .context("`--program` needs the name of a file")?;
                    read.program = Some(file.into());
                }
                port => {
                    read.port = port.parse().with_context(|| {
                        format!("`{port}` is not a port: write `cargo xtask cluster 8080`")
                    })?;
                }
            }
        }
        Ok(read)
    }
}

/// Makes a release build of the program, with the page.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    serve::build(workspace)?;
    let cargo = Workspace::cargo();
    let mut words = vec![cargo.as_str(), "build", "--locked", "--release"];
    words.extend(["--package", "kriegspiel-cli", "--bin", "kriegspiel"]);
    run::run(&workspace.root, &words, &[])?;
    let target = workspace.root.join(workspace.target());
    Ok(target.join("release").join("kriegspiel"))
}

/// Plays games at a cluster while the owner is killed. Then shuts the cluster down.
fn check(workspace: &Workspace, program: PathBuf) -> Result<()> {
    let mut cluster = Cluster::start(program.clone(), workspace.path("target/cluster"), 0)?;
    cluster.print();
    let (url, data) = (
        format!("http://{}", cluster.proxy),
        cluster.postgres.address(),
    );
    let mut load = Command::new(program)
        .args(["load", "--games", "6", "--rate", "30", "--watchers", "3"])
        .args(["--duration", "4", "--url", &url, "--data", &data])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start `kriegspiel load`")?;
    let output = load
        .stderr
        .take()
        .context("`kriegspiel load` has no output")?;
    let mut output = BufReader::new(output);
    let mut line = String::new();
    output.read_line(&mut line)?;
    print!("{line}");
    // The games run now.
    pause(Duration::from_millis(500));
    signal(&cluster.nodes[0].child, "KILL");
    let status = loop {
        pause(POLL_INTERVAL);
        cluster.look_at_nodes()?;
        if let Some(status) = load.try_wait()? {
            break status;
        }
    };
    io::copy(&mut output, &mut io::stdout())?;
    ensure!(status.success(), "`kriegspiel load` failed ({status})");
    cluster.look_at_nodes()?;
    cluster.end()?;
    ensure!(!answers(&data), "the database has not ended");
    println!(
        "the owner was killed during the games, and all nodes then shut down without an error"
    );
    Ok(())
}

/// Whether the node at an address owns the games.
fn is_owner(address: SocketAddr) -> bool {
    let asked = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(END_TIMEOUT))?;
        let request = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
        io::Write::write_all(&mut stream, request.as_bytes())?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line)?;
        io::Result::Ok(line.contains(" 200 "))
    };
    asked().unwrap_or(false)
}

/// Whether something listens at the address of a database.
fn answers(data: &str) -> bool {
    let address = data.split(['@', '/']).nth(3);
    address.is_some_and(|address| TcpStream::connect(address).is_ok())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// A server that sends its name to each client.
    fn server(name: &'static str) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut said = [0; 2];
                if stream.read_exact(&mut said).is_ok() && said == *b"hi" {
                    let _gone = stream.write_all(name.as_bytes());
                }
            }
        });
        Ok(address)
    }

    #[test]
    fn the_proxy_leaves_out_a_node_that_has_ended() -> io::Result<()> {
        let (first, second) = (server("first")?, server("second")?);
        let ended = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let proxy = listener.local_addr()?;
        open_proxy(listener, Arc::new(Mutex::new(vec![first, ended, second])));
        let mut heard = Vec::new();
        for _ in 0..6 {
            let mut stream = TcpStream::connect(proxy)?;
            stream.write_all(b"hi")?;
            let mut name = String::new();
            stream.read_to_string(&mut name)?;
            heard.push(name);
        }
        assert_eq!(
            heard,
            ["first", "second", "second", "first", "second", "second"]
        );
        Ok(())
    }

    #[test]
    fn arguments_of_the_cluster_are_read() -> Result<()> {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Words::read(&words)
        };
        assert_eq!(read(&[])?.port, PORT);
        assert_eq!(read(&["9000"])?.port, 9000);
        let check = read(&["--check", "--program", "x"])?;
        assert_eq!((check.is_check, check.program), (true, Some("x".into())));
        for wrong in [vec!["--chek"], vec!["70000"], vec!["--program"]] {
            assert!(read(&wrong).is_err(), "{wrong:?}");
        }
        Ok(())
    }

    #[test]
    fn address_answers_only_while_a_database_listens() -> io::Result<()> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let at = listener.local_addr()?;
        assert!(answers(&format!("postgres://kriegspiel@{at}/postgres")));
        drop(listener);
        assert!(!answers(&format!("postgres://kriegspiel@{at}/postgres")));
        Ok(())
    }
}
