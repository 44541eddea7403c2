//! A separate network that tests can switch off. The network connects this machine with another
//! machine, the far machine.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// Address of the near machine on the wire.
#[allow(dead_code, reason = "not every test has a far machine")]
pub const NEAR: &str = "10.9.8.1";

/// Script that creates the network. The far machine is another network namespace,
/// held open by a sleeping process. Then the script runs each line of its input as a
/// command on the near machine.
const SCRIPT: &str = "
ip link set lo up
unshare -n sleep 1d </dev/null >/dev/null 2>&1 &
far=$!
while [ \"$(readlink /proc/$far/ns/net)\" = \"$(readlink /proc/$$/ns/net)\" ]; do sleep 0.01; done
there() { nsenter -n -t $far \"$@\"; }
ip link add near type veth peer name far netns $far
ip addr add 10.9.8.1/24 dev near
ip link set near up
there ip addr add 10.9.8.2/24 dev far
there ip link set far up
echo ready $far
while read -r line; do eval \"$line\"; echo done; done
kill $far
";

/// Two machines and the wire between them, without any other network.
pub struct Network {
    keeper: Child,
    input: Option<ChildStdin>,
    out: BufReader<ChildStdout>,
    far: String,
}

impl Network {
    pub fn new() -> Network {
        let mut keeper = Command::new("unshare")
            .args(["-Urn", "sh", "-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(keeper.stdout.take().unwrap());
        let mut network = Network {
            input: keeper.stdin.take(),
            keeper,
            out,
            far: String::new(),
        };
        let ready = network.line();
        let far = ready.strip_prefix("ready ");
        network.far = far.unwrap().to_owned();
        network
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// Runs a command on the near machine. The prefix `there` runs it on the far
    /// machine.
    pub fn does(&mut self, command: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{command}").unwrap();
        assert_eq!(self.line(), "done", "{command} did not end");
    }

    /// Returns the command prefix that runs a program on the near machine.
    pub fn near(&self) -> Vec<String> {
        enters(&self.keeper.id().to_string())
    }

    /// Returns the command prefix that runs a program on the far machine.
    #[allow(dead_code, reason = "not every test has a far machine")]
    pub fn far(&self) -> Vec<String> {
        enters(&self.far)
    }
}

fn enters(pid: &str) -> Vec<String> {
    ["nsenter", "--preserve-credentials", "-U", "-n", "-t", pid]
        .map(str::to_owned)
        .to_vec()
}

impl Drop for Network {
    fn drop(&mut self) {
        // At the end of its input the script ends, and then the far machine ends too.
        drop(self.input.take());
        let _ended = self.keeper.wait();
    }
}
