//! Telnet as terminals speak it (RFC 854, 855, 857, 858): removes telnet
//! commands from a stream of bytes, and extracts its lines.
//!
//! Every option that a client requests or offers is declined. The only
//! exception is the option ECHO, which a door itself turns on while the user
//! types a password.

/// IAC: a command follows.
const IAC: u8 = 255;
const DONT: u8 = 254;
const DO: u8 = 253;
const WONT: u8 = 252;
const WILL: u8 = 251;
/// Start of a subnegotiation.
const SB: u8 = 250;
/// Erase the line.
const EL: u8 = 248;
/// Erase a character.
const EC: u8 = 247;
/// "Are you there?"
const AYT: u8 = 246;
/// Interrupt the process.
const IP: u8 = 244;
/// A break signal.
const BRK: u8 = 243;
/// End of a subnegotiation.
const SE: u8 = 240;

/// The option ECHO.
const ECHO: u8 = 1;

/// Longest subnegotiation that is skipped, in bytes. Bytes beyond this length
/// are read as text again.
const MAX_SUBNEGOTIATION_BYTES: usize = 1024;

/// Bytes that ask the client to stop showing typed text.
pub(crate) const HIDE: [u8; 3] = [IAC, WILL, ECHO];

/// Bytes that ask the client to show typed text again.
pub(crate) const SHOW: [u8; 3] = [IAC, WONT, ECHO];

/// One input from the client.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Input {
    /// A line without its line end and without control characters.
    Line(String),
    /// A line that exceeded the limit; its text is dropped.
    TooLong,
    /// Control-C, or a telnet command with that meaning.
    Interrupt,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum State {
    Text,
    /// After a carriage return. A line feed or zero byte that follows belongs
    /// to the same line end.
    Return,
    Command,
    /// After WILL, WONT, DO or DONT. Holds that byte.
    Option(u8),
    /// Within a subnegotiation. Holds the number of its bytes so far, and
    /// whether the last byte was IAC.
    Within(usize, bool),
}

/// Extracts lines from the bytes of one client.
#[derive(Debug)]
pub struct Reader {
    state: State,
    line: Vec<u8>,
    longest: usize,
    overlong: bool,
    /// Bytes to send to the client.
    replies: Vec<u8>,
}

impl Reader {
    /// Creates a reader of lines with at most `longest` bytes.
    pub fn new(longest: usize) -> Reader {
        Reader {
            state: State::Text,
            line: Vec::new(),
            longest,
            overlong: false,
            replies: Vec::new(),
        }
    }

    /// Reads bytes. Calls `found` for each complete input, in order.
    pub fn read(&mut self, bytes: &[u8], mut found: impl FnMut(Input)) {
        for &byte in bytes {
            self.byte(byte, &mut found);
        }
    }

    /// Takes the bytes that must be sent to the client as replies to the bytes
    /// read so far.
    pub fn replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.replies)
    }

    fn byte(&mut self, byte: u8, found: &mut impl FnMut(Input)) {
        match self.state {
            State::Text => self.text(byte, found),
            State::Return => {
                self.state = State::Text;
                if !matches!(byte, b'\n' | 0) {
                    self.text(byte, found);
                }
            }
            State::Command => self.command(byte, found),
            State::Option(verb) => {
                self.state = State::Text;
                self.option(verb, byte);
            }
            State::Within(n, command) => {
                self.state = match byte {
                    IAC if !command => State::Within(n, true),
                    SE if command => State::Text,
                    _ if n >= MAX_SUBNEGOTIATION_BYTES => State::Text,
                    _ => State::Within(n + 1, false),
                };
            }
        }
    }

    fn text(&mut self, byte: u8, found: &mut impl FnMut(Input)) {
        match byte {
            IAC => self.state = State::Command,
            b'\r' => {
                self.state = State::Return;
                self.end(found);
            }
            b'\n' => self.end(found),
            3 => self.interrupt(found),
            8 | 127 => self.erase(),
            // Control-U.
            21 => self.clear(),
            byte => self.put(byte),
        }
    }

    fn command(&mut self, byte: u8, found: &mut impl FnMut(Input)) {
        self.state = State::Text;
        match byte {
            IAC => self.put(IAC),
            WILL | WONT | DO | DONT => self.state = State::Option(byte),
            SB => self.state = State::Within(0, false),
            IP | BRK => self.interrupt(found),
            EC => self.erase(),
            EL => self.clear(),
            AYT => self.reply(b"\r\n[yes]\r\n"),
            // No other command needs an answer.
            _ => {}
        }
    }

    /// Declines an option. DO and DONT for ECHO get no reply: they are the
    /// client's reply to the door's own WILL or WONT.
    fn option(&mut self, verb: u8, option: u8) {
        match (verb, option) {
            (DO | DONT, ECHO) => {}
            (DO, _) => self.reply(&[IAC, WONT, option]),
            (WILL, _) => self.reply(&[IAC, DONT, option]),
            // WONT and DONT need no answer: all options are off. A confirmation
            // could start an endless exchange.
            _ => {}
        }
    }

    /// Queues bytes for the client. If more than `MAX_SUBNEGOTIATION_BYTES` would be queued, the
    /// bytes are dropped. So a client that only sends requests cannot fill the memory.
    fn reply(&mut self, bytes: &[u8]) {
        if self.replies.len() + bytes.len() <= MAX_SUBNEGOTIATION_BYTES {
            self.replies.extend(bytes);
        }
    }

    fn put(&mut self, byte: u8) {
        if self.line.len() < self.longest {
            self.line.push(byte);
        } else {
            self.overlong = true;
        }
    }

    fn erase(&mut self) {
        // Erases all bytes of a UTF-8 character.
        while self.line.pop().is_some_and(|b| b & 0xc0 == 0x80) {}
    }

    fn clear(&mut self) {
        self.line.clear();
        self.overlong = false;
    }

    fn interrupt(&mut self, found: &mut impl FnMut(Input)) {
        self.clear();
        found(Input::Interrupt);
    }

    fn end(&mut self, found: &mut impl FnMut(Input)) {
        if std::mem::take(&mut self.overlong) {
            self.line.clear();
            found(Input::TooLong);
            return;
        }
        let text = String::from_utf8_lossy(&self.line);
        let plain = |c: char| if c == '\t' { ' ' } else { c };
        let line = text.chars().map(plain).filter(|c| !controls_terminal(*c));
        found(Input::Line(line.collect()));
        self.line.clear();
    }
}

/// Whether a character controls the terminal instead of showing text: control
/// characters, and invisible characters that hide text or change its direction.
pub(crate) fn controls_terminal(c: char) -> bool {
    notation::is_unprintable(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> (Vec<Input>, Vec<u8>) {
        let mut reader = Reader::new(8);
        let mut items = Vec::new();
        reader.read(bytes, |item| items.push(item));
        (items, reader.replies())
    }

    fn lines(all: &[&str]) -> Vec<Input> {
        all.iter().map(|l| Input::Line((*l).to_owned())).collect()
    }

    #[test]
    fn each_kind_of_line_end_ends_one_line() {
        for text in ["a\nb\n", "a\r\nb\r\n", "a\r\0b\r\0", "a\rb\r"] {
            assert_eq!(read(text.as_bytes()).0, lines(&["a", "b"]), "{text:?}");
        }
        // Two line feeds end two lines. Two carriage returns end two lines, too.
        assert_eq!(read(b"\n\n").0, lines(&["", ""]));
        assert_eq!(read(b"\r\n\r\n").0, lines(&["", ""]));
    }

    #[test]
    fn options_are_declined_once_without_a_loop() {
        // A usual telnet program starts as follows: it offers its window size
        // (WILL NAWS) and sends DO SUPPRESS-GO-AHEAD.
        let (items, replies) = read(&[255, 251, 31, 255, 253, 3, b'a', b'\n']);
        assert_eq!(items, lines(&["a"]));
        assert_eq!(replies, [255, 254, 31, 255, 252, 3]);
        // The client's replies to the door's own messages get no reply.
        assert!(read(&[255, 254, 3, 255, 252, 31, 255, 253, 1]).1.is_empty());
    }

    #[test]
    fn commands_within_a_line_do_not_belong_to_it() {
        let (items, _) = read(&[b'a', 255, 241, b'b', 255, 250, 31, 0, 80, 255, 240, b'\n']);
        assert_eq!(items, lines(&["ab"]));
        assert_eq!(read(&[255, 246]).1, b"\r\n[yes]\r\n");
        assert_eq!(read(&[b'a', 255, 244]).0, [Input::Interrupt]);
        assert_eq!(read(b"ab\x7fc\n").0, lines(&["ac"]));
        assert_eq!(read(b"ab\x15c\n").0, lines(&["c"]));
    }

    /// Each command that erases removes a whole letter, of one to four bytes. A doubled IAC is one
    /// byte of data.
    #[test]
    fn letters_are_erased_whole_and_a_doubled_iac_is_one_byte() {
        let erases: [&[u8]; 3] = [&[8], &[127], &[IAC, EC]];
        for letter in ["a", "\u{e9}", "\u{20ac}", "\u{1f431}"] {
            for erase in erases {
                let bytes = [b"x", letter.as_bytes(), erase, b"y\n"].concat();
                assert_eq!(read(&bytes).0, lines(&["xy"]), "{letter} {erase:?}");
                // Two letters are erased. The third command has nothing to erase, and has no
                // effect.
                let bytes = [letter.as_bytes(), b"z", erase, erase, erase, b"y\n"].concat();
                assert_eq!(read(&bytes).0, lines(&["y"]), "{letter} {erase:?}");
            }
        }
        for clear in [&[21][..], &[IAC, EL]] {
            let bytes = ["ab\u{e9}".as_bytes(), clear, b"y\n"].concat();
            assert_eq!(read(&bytes).0, lines(&["y"]), "{clear:?}");
        }
        // The byte 255 is never part of UTF-8, so it is read as the replacement character.
        for (bytes, line) in [
            (&[b'a', IAC, IAC, b'b', b'\n'][..], "a\u{fffd}b"),
            (&[IAC, IAC, IAC, IAC, b'\n'], "\u{fffd}\u{fffd}"),
            (&[IAC, IAC, 241, b'\n'], "\u{fffd}\u{fffd}"),
            (&[b'a', IAC, IAC, 8, b'b', b'\n'], "ab"),
            // A doubled IAC is data within a subnegotiation too: the SE after it does not end the
            // subnegotiation.
            (
                &[IAC, SB, 31, IAC, IAC, SE, b'x', IAC, SE, b'a', b'\n'],
                "a",
            ),
        ] {
            let (items, replies) = read(bytes);
            assert_eq!(items, lines(&[line]), "{bytes:?}");
            assert!(replies.is_empty(), "{bytes:?}");
        }
    }

    #[test]
    fn an_overlong_line_stays_overlong_until_it_ends_or_is_cleared() {
        let named = |line: &str| Input::Line(line.to_owned());
        assert_eq!(read(b"12345678\n").0, [named("12345678")]);
        assert_eq!(read(b"123456789\x08\x08\x08\n").0, [Input::TooLong]);
        assert_eq!(read(b"123456789\x15ab\n").0, [named("ab")]);
        assert_eq!(
            read(b"123456789\x03ab\n").0,
            [Input::Interrupt, named("ab")]
        );
        // The limit counts bytes, and may be reached in the middle of a letter.
        assert_eq!(read("1234567\u{e9}\n".as_bytes()).0, [Input::TooLong]);
        assert_eq!(
            read("123456\u{e9}\nab\n".as_bytes()).0,
            [named("123456\u{e9}"), named("ab")]
        );
    }

    #[test]
    fn too_long_line_is_reported_and_the_next_is_read() {
        assert_eq!(
            read(b"123456789\nab\n").0,
            [Input::TooLong, Input::Line("ab".to_owned())]
        );
    }

    #[test]
    fn control_characters_and_noise_are_removed() {
        assert_eq!(read(b"a\x1b[A\tb\n").0, lines(&["a[A b"]));
        assert_eq!(read(b"\xc3(\n").0, lines(&["\u{fffd}("]));
        // Characters that change the direction of text, and control characters, are
        // removed.
        assert_eq!(
            read("a\u{202e}b\n\u{2066}c\n\u{9b}d\n".as_bytes()).0,
            lines(&["ab", "c", "d"])
        );
    }

    proptest! {
        #[test]
        fn cuts_between_bytes_do_not_change_what_is_read(
            bytes in prop::collection::vec(prop::sample::select(vec![
                0u8, 3, 8, 10, 13, 21, b'a', b'b', 0xc3, 0xa9, 240, 244, 250, 251, 253, 254, 255, 1,
            ]), 0..200),
            cut in 0usize..200,
        ) {
            let whole = read(&bytes);
            let (head, tail) = bytes.split_at(cut.min(bytes.len()));
            let mut reader = Reader::new(8);
            let mut items = Vec::new();
            reader.read(head, |item| items.push(item));
            reader.read(tail, |item| items.push(item));
            prop_assert_eq!(whole, (items, reader.replies()));
            prop_assert!(reader.line.len() <= 8);
        }
    }
}
