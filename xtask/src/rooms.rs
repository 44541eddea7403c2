//! Allowed dependencies: the table of ARCHITECTURE.md as data.

/// Crate and its allowed dependencies.
pub struct Room {
    /// The crate's name.
    pub name: &'static str,
    /// The rooms it may depend on directly.
    pub may: &'static [&'static str],
    /// What it must never depend on directly, rooms and outside crates.
    pub never: &'static [&'static str],
    /// Whether the ban also holds for indirect dependencies.
    pub sealed: bool,
    /// Whether its crate docs must say what it must never know.
    pub says_so: bool,
}

/// Crates that the functional core must not use: serialisation, async, random
/// numbers.
const SHELL: [&str; 4] = ["serde", "serde_json", "tokio", "rand"];

/// Every room, those of later issues too, so that a new crate finds its walls
/// waiting. A crate that is not here fails `tidy`.
pub const ROOMS: &[Room] = &[
    Room {
        name: "rules",
        may: &[],
        never: &SHELL,
        sealed: true,
        says_so: true,
    },
    Room {
        name: "referee",
        may: &["rules"],
        never: &SHELL,
        sealed: true,
        says_so: true,
    },
    Room {
        name: "views",
        may: &["rules"],
        never: &["referee", "serde", "serde_json", "tokio", "rand"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "notation",
        may: &["rules", "views"],
        never: &["referee", "serde", "serde_json", "tokio", "rand"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "scores",
        may: &["rules", "referee", "belief", "notation", "wire"],
        never: &["store", "club", "tokio", "rand"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "wire",
        may: &["rules", "views"],
        never: &["referee", "store", "tokio", "rand"],
        sealed: true,
        says_so: true,
    },
    Room {
        // `belief` may lie between a bot and the referee; the bot itself may not.
        name: "bots",
        may: &["rules", "views", "belief"],
        never: &["referee", "club", "wire", "tokio"],
        sealed: false,
        says_so: true,
    },
    Room {
        name: "belief",
        may: &["rules", "referee", "views"],
        never: &["club", "store", "serde", "serde_json", "tokio", "rand"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "arena",
        may: &[
            "rules", "referee", "views", "notation", "scores", "bots", "wire",
        ],
        never: &["tokio", "club", "server"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "store",
        may: &["rules", "referee", "scores"],
        never: &["club", "wire"],
        sealed: false,
        says_so: true,
    },
    Room {
        name: "club",
        may: &["rules", "referee", "views", "notation", "store"],
        never: &["wire", "server", "axum"],
        sealed: false,
        says_so: true,
    },
    Room {
        name: "limits",
        may: &[],
        never: &["rules", "referee", "club", "serde", "rand"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "present",
        may: &["rules", "views", "club", "wire", "notation"],
        never: &["referee", "server", "doors", "axum"],
        sealed: false,
        says_so: true,
    },
    Room {
        name: "client",
        may: &["rules", "views", "wire", "bots"],
        never: &["referee", "club", "store", "server"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "doors",
        may: &[
            "rules", "views", "club", "limits", "wire", "notation", "present", "client",
        ],
        never: &["referee", "server", "axum"],
        sealed: false,
        says_so: true,
    },
    Room {
        name: "server",
        may: &[
            "rules", "views", "club", "limits", "wire", "notation", "scores", "bots", "present",
            "client",
        ],
        never: &["referee"],
        sealed: false,
        says_so: true,
    },
    Room {
        name: "tui",
        may: &["rules", "views", "wire", "notation"],
        never: &["referee", "club", "store"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "ksref",
        may: &["rules", "referee"],
        never: &["tokio", "server", "club"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "kriegspiel",
        may: &[
            "rules", "referee", "views", "notation", "scores", "bots", "wire", "arena", "belief",
            "store", "club", "client", "doors", "server", "tui", "ksref",
        ],
        never: &["testkit"],
        sealed: true,
        says_so: false,
    },
    Room {
        name: "python",
        may: &[
            "rules", "referee", "views", "belief", "notation", "scores", "arena", "wire",
        ],
        never: &["club", "server"],
        sealed: true,
        says_so: true,
    },
    Room {
        name: "testkit",
        may: &["rules", "referee", "views", "notation", "scores", "wire"],
        never: &["club", "server", "tokio"],
        sealed: true,
        says_so: false,
    },
    Room {
        name: "xtask",
        may: &["rules", "notation"],
        never: &["referee"],
        sealed: true,
        says_so: false,
    },
];

/// The room of that name.
pub fn room(name: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_may_know_what_he_must_never_know() {
        for room in ROOMS {
            for name in room.may {
                assert!(!room.never.contains(name), "{} and {name}", room.name);
                assert!(super::room(name).is_some(), "{name} is no room");
            }
        }
    }

    #[test]
    fn arrows_point_one_way() {
        // A room that can be reached from itself would be a cycle.
        for start in ROOMS {
            let mut reached: Vec<&str> = start.may.to_vec();
            let mut at = 0;
            while at < reached.len() {
                let next = room(reached[at]).map_or(&[][..], |r| r.may);
                for name in next {
                    if !reached.contains(name) {
                        reached.push(name);
                    }
                }
                at += 1;
            }
            assert!(!reached.contains(&start.name), "{}", start.name);
        }
    }
}
