//! The network fails during a game. After a timeout, a machine that does not answer
//! is treated as disconnected. When its player comes back on another connection, every
//! answered move is still in the game.

use crate::{
    club_process::ClubProcess,
    namespace::{NEAR, Network},
    person::Person,
    running::Folder,
};

/// Prompt of the teletype: the user may type.
const ASKS: &str = "****\u{7}\u{7}";

/// A network with a club, and two people with accounts there. Anna is on the
/// club's machine, Bert on the far machine.
struct Scene {
    network: Network,
    club: ClubProcess,
    _folder: Folder,
}

impl Scene {
    fn new(flags: &[&str]) -> Scene {
        let folder = Folder::new();
        let made = ClubProcess::open(&folder, &[], "127.0.0.1", &[]);
        for name in ["Anna", "Bert"] {
            made.account(name);
        }
        made.kill();
        let network = Network::new();
        let club = ClubProcess::open(&folder, &network.near(), NEAR, flags);
        Scene {
            network,
            club,
            _folder: folder,
        }
    }

    fn anna(&self, port: &str) -> Person {
        Person::call_from(&self.network.near(), NEAR, port)
    }

    fn bert(&self, port: &str) -> Person {
        Person::call_from(&self.network.far(), NEAR, port)
    }

    fn signed_in(&self) -> [Person; 2] {
        let port = &self.club.ics;
        let mut people = [self.anna(port), self.bert(port)];
        for (person, name) in people.iter_mut().zip(["Anna", "Bert"]) {
            person.signs_in(name).unwrap();
        }
        let [anna, bert] = &mut people;
        anna.types("match Bert 30 5 ks white");
        bert.hears("Challenge: Anna");
        bert.types("accept");
        for person in &mut people {
            person.hears("Creating unrated wild/16 match.}");
        }
        people
    }

    /// Returns two players at teletypes, Anna with White. Also returns Bert's key.
    fn seated(&self) -> ([Person; 2], String) {
        let port = &self.club.teletype;
        let (mut anna, mut bert) = (self.anna(port), self.bert(port));
        anna.hears(ASKS);
        anna.types("n");
        anna.hears("WAITING FOR THE OTHER TELETYPE");
        bert.hears(ASKS);
        bert.types("n");
        anna.hears(ASKS);
        anna.types("y");
        anna.hears("(WHITE TO MOVE)\r\n****");
        let told = bert.hears("KEEP");
        let (_, key) = told.split_once("YOUR KEY IS ").unwrap();
        let key = key.split_whitespace().next().unwrap().to_owned();
        bert.hears("(WHITE TO MOVE)");
        ([anna, bert], key)
    }

    fn sign_in_again(&self) -> Person {
        let mut bert = self.bert(&self.club.ics);
        bert.signs_in("Bert").unwrap();
        bert
    }

    fn join(&self, key: &str) -> Person {
        let mut bert = self.bert(&self.club.teletype);
        bert.hears(ASKS);
        bert.types(&format!("join {key}"));
        bert.hears("YOU ARE BACK. YOU PLAY BLACK");
        bert
    }
}

#[test]
fn disconnected_client_times_out_and_finds_every_answer() {
    let mut scene = Scene::new(&["--silence", "2"]);
    let [mut anna, mut bert] = scene.signed_in();
    let ([mut white, mut black], key) = scene.seated();
    anna.types("g1f3");
    white.types("kn1 kb3");
    bert.hears("Black's move.");
    black.hears("(BLACK TO MOVE)");
    bert.types("g8f6");
    black.types("kn1 kb3");
    anna.hears("White's move.");
    bert.hears("White's move.");
    black.hears("(WHITE TO MOVE)");
    white.hears("(WHITE TO MOVE)\r\n****");

    // Bert's network is cut, but no connection is closed. Nevertheless Anna hears in
    // both games that Bert is gone.
    scene.network.does("ip link set near down");
    anna.hears("Bert is not connected.");
    white.hears("THE OTHER TELETYPE IS GONE. THE GAME WAITS FOR ITS KEY");
    // Meanwhile the club still answers the moves of Bert's opponents.
    anna.types("f3g1");
    anna.hears("Black's move.");
    white.types("kb3 kn1");
    white.hears("(BLACK TO MOVE)");
    // What Bert types does not reach the club.
    bert.types("f6g8");
    black.types("kb3 kn1");

    scene.network.does("ip link set near up");
    let mut bert = scene.sign_in_again();
    let board = bert.board().unwrap();
    assert_eq!(
        board.plies, 3,
        "a move sent without a network must not be played"
    );
    assert_eq!(
        (&*board.ranks[0], &*board.ranks[5]),
        ("rnbqkb-r", "--------")
    );
    anna.hears("Bert is here again.");
    bert.types("f6g8");
    bert.hears("White's move.");
    anna.hears("White's move.");
    let mut black = scene.join(&key);
    white.hears("THE OTHER TELETYPE IS BACK");
    black.hears("KNIGHT  QN1 KB3");
    black.hears("(BLACK TO MOVE)");
    black.hears(ASKS);
    black.types("kb3 kn1");
    black.hears("(WHITE TO MOVE)");
    white.hears("(WHITE TO MOVE)");
    // Both games reach their end, although the interrupted connections are dead.
    anna.types("resign");
    bert.hears("Anna resigns} 0-1");
    white.types("resign");
    black.hears("(WHITE RESIGNS: BLACK WINS, 0-1)");
    black.hears(ASKS);
    black.types("y");
    black.hears("   2  KB3 KN1      KB3 KN1");
}

#[test]
fn reconnect_from_a_new_address_gets_the_seat() {
    // With this timeout, nobody would notice for an hour that the old
    // connection is dead.
    let mut scene = Scene::new(&["--silence", "3600"]);
    let [mut anna, old] = scene.signed_in();
    let ([mut white, old_teletype], key) = scene.seated();
    // Bert's machine gets another address, so its old connections cannot send
    // or receive.
    let moves = "there ip addr del 10.9.8.2/24 dev far; there ip addr add 10.9.8.3/24 dev far";
    scene.network.does(moves);
    anna.types("g1f3");
    anna.hears("Black's move.");
    white.types("kn1 kb3");
    white.hears("(BLACK TO MOVE)");

    // Bert connects several times, with more consoles than one account may have.
    let mut consoles = vec![old, old_teletype];
    for _ in 0..5 {
        let mut bert = scene.sign_in_again();
        assert_eq!(bert.board().unwrap().plies, 1);
        consoles.push(bert);
    }
    let mut bert = scene.sign_in_again();
    bert.types("g8f6");
    bert.hears("White's move.");
    anna.hears("White's move.");
    let mut black = scene.join(&key);
    black.hears(ASKS);
    black.types("kn1 kb3");
    black.hears("(WHITE TO MOVE)");
    white.hears("(WHITE TO MOVE)\r\n****");
    for (person, word) in [(&anna, "not connected"), (&white, "GONE")] {
        assert!(!person.all().contains(word), "{}", person.all());
    }
    consoles[3].hears("You are signed in at four newer consoles, so this one is closed.");
}
