//! The audit finds every planted error and no other error. The audit finds no error in correct
//! games.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod common;

use std::collections::BTreeMap;

use common::{every, number, play};
use rules::{
    Announcement, Answer, ByListener, Capture, Direction, Directions, DrawTalk, Heard, Listener,
    MoveAnnouncements, Over, Reply, Tries, Verdict, Winner,
    chess::{Bitboard, Color, Role, Square},
};
use scores::{
    AnnouncementKind, Answered, Asked, ConvertError, Entry, Fault, RecordedGame, Target,
    Transcript, TranscriptLine, convert, follow,
};

fn game(transcript: &Transcript) -> RecordedGame {
    RecordedGame::from_transcript(&transcript.to_string()).unwrap()
}

fn findings(transcript: &Transcript) -> Vec<scores::Finding> {
    let game = game(transcript);
    let opened = game.opening().unwrap();
    follow(&game, opened, false).findings
}

#[test]
fn clean_games_give_no_finding() {
    let games = number("KRIEGSPIEL_AUDITS", 100);
    let mut count = 0;
    for (ruleset, salt) in every() {
        for seed in 0..games {
            let played = play(ruleset, salt + 5000 + seed, 60);
            let game = game(&played.transcript);
            let opened = game.opening().unwrap();
            let followed = follow(&game, opened.clone(), false);
            let first = followed.findings.first().map(ToString::to_string);
            assert_eq!(first, None, "{}\n{}", ruleset.id, played.transcript);
            assert_eq!(followed.log(), played.log);
            assert_eq!(followed.game, played.game);
            assert!(followed.judged > 0 && followed.notes.is_empty());
            if seed % 10 == 0 {
                for (to, form) in [
                    (Target::Pgn, scores::Form::Pgn),
                    (Target::Json, scores::Form::Json),
                ] {
                    let text = convert(&game, None, to).unwrap().text;
                    let again = scores::RecordedGames::of_form(text.as_bytes(), form);
                    for again in again {
                        let again = again.unwrap().unwrap();
                        let followed = follow(&again, opened.clone(), false);
                        assert_eq!(followed.findings, [], "{text}");
                    }
                }
            }
            count += 1;
        }
    }
    println!("figure: clean games audited {count}");
}

/// Returns a changed copy of something heard; `None` if no change is possible.
fn changed(heard: &Heard) -> Option<Heard> {
    let other = |sq: Square| Square::new((sq as u32 + 1) % 64);
    Some(match *heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt,
        }) => Heard::Reply(Reply::Verdict {
            verdict: match verdict {
                Verdict::Moved => return None,
                Verdict::No => Verdict::Nonsense,
                Verdict::Nonsense | Verdict::RepeatNo => Verdict::No,
            },
            by,
            attempt,
        }),
        Heard::Reply(Reply::Any { by, answer }) => Heard::Reply(Reply::Any {
            by,
            answer: !answer,
        }),
        Heard::Lost { square, man } => Heard::Lost {
            square: other(square),
            man,
        },
        Heard::Announced(Announcement::Capture(Capture {
            square: Some(square),
            man,
            en_passant,
        })) => Heard::Announced(Announcement::Capture(Capture {
            square: Some(other(square)),
            man,
            en_passant,
        })),
        Heard::Announced(Announcement::Capture(capture)) => {
            Heard::Announced(Announcement::Capture(Capture {
                en_passant: !capture.en_passant,
                ..capture
            }))
        }
        Heard::Announced(Announcement::Drop { by, man }) => Heard::Announced(Announcement::Drop {
            by,
            man: if man == Role::Queen {
                Role::Rook
            } else {
                Role::Queen
            },
        }),
        Heard::Announced(Announcement::Promotion { by }) => {
            Heard::Announced(Announcement::Promotion { by: by.other() })
        }
        Heard::Announced(Announcement::Check { directions }) => {
            Heard::Announced(Announcement::Check {
                directions: Direction::ALL
                    .into_iter()
                    .find(|d| !directions.contains(*d))
                    .into_iter()
                    .collect::<Directions>(),
            })
        }
        Heard::Announced(Announcement::Tries(tries)) => {
            Heard::Announced(Announcement::Tries(match tries {
                Tries::Untold => return None,
                Tries::Whether(any) => Tries::Whether(!any),
                Tries::Count(n) => Tries::Count(n + 1),
                Tries::Squares(set) => Tries::Squares(set ^ Bitboard::from_square(Square::D5)),
                Tries::SinglesAndDoubles { singles, doubles } => Tries::SinglesAndDoubles {
                    singles: singles ^ Bitboard::from_square(Square::D5),
                    doubles,
                },
            }))
        }
        Heard::Announced(Announcement::Turn { to_move }) => Heard::Announced(Announcement::Turn {
            to_move: to_move.other(),
        }),
        Heard::Reply(Reply::Rebuffs { by, count }) => Heard::Reply(Reply::Rebuffs {
            by,
            count: count + 1,
        }),
        Heard::Reply(Reply::Recap { by, announcements }) => Heard::Reply(Reply::Recap {
            by,
            announcements: MoveAnnouncements {
                promotion: if announcements.promotion.is_some() {
                    None
                } else {
                    Some(Color::White)
                },
                ..announcements
            },
        }),
        Heard::Draw(DrawTalk::Offer { by }) => Heard::Draw(DrawTalk::Offer { by: by.other() }),
        Heard::Draw(DrawTalk::Declined { by }) => {
            Heard::Draw(DrawTalk::Declined { by: by.other() })
        }
        Heard::Draw(DrawTalk::Withdrawn { by }) => {
            Heard::Draw(DrawTalk::Withdrawn { by: by.other() })
        }
        Heard::Over(over) => Heard::Over(Over {
            winner: if over.winner == Winner::White {
                Winner::Black
            } else {
                Winner::White
            },
            reason: over.reason,
        }),
    })
}

/// A planted error.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
enum Plant {
    /// All listeners hear a wrong version of the announcement.
    Changed,
    /// No listener hears the announcement.
    Dropped,
    /// One listener who should hear the announcement does not hear it.
    Kept,
    /// One listener who should not hear the announcement hears it.
    Leaked,
    /// An announcement is added for an event that did not happen.
    Invented,
    /// The umpire notes a wrong answer.
    Noted,
    /// Two announcements are in the wrong order.
    Swapped,
}

/// Plants an error of the kind `plant` in the announcement `at` of a line. Returns `None` if that is
/// not possible. Otherwise returns the fault that the finding must have.
fn plant(line: &mut TranscriptLine, at: Heard, plant: Plant) -> Option<Option<Fault>> {
    let columns = line.heard.as_mut()?;
    let what = AnnouncementKind::of(&at);
    let same = |heard: &Heard| AnnouncementKind::of(heard) == what;
    let hears = |columns: &ByListener<Vec<Heard>>, l| columns.get(l).iter().any(same);
    let listeners = Listener::ALL.map(|l| hears(columns, l).then_some(l));
    let listeners: Vec<Listener> = listeners.into_iter().flatten().collect();
    match plant {
        Plant::Changed => {
            for listener in listeners {
                let slot = columns.get_mut(listener).iter_mut().find(|h| same(h))?;
                *slot = changed(slot)?;
            }
            Some(Some(Fault::Wrong))
        }
        Plant::Dropped => {
            for listener in Listener::ALL {
                columns.get_mut(listener).retain(|h| !same(h));
            }
            Some(Some(Fault::Missing))
        }
        Plant::Kept => {
            if listeners.len() < 2 {
                return None;
            }
            columns.get_mut(*listeners.last()?).retain(|h| !same(h));
            Some(Some(Fault::Missing))
        }
        Plant::Leaked => {
            let to = Listener::ALL.into_iter().find(|l| !listeners.contains(l))?;
            columns.get_mut(to).push(at);
            Some(Some(Fault::WrongPerson))
        }
        Plant::Invented => {
            let invented = if what == AnnouncementKind::Turn {
                Heard::Announced(Announcement::Check {
                    directions: Direction::ALL.into_iter().take(1).collect(),
                })
            } else if what == AnnouncementKind::Tries {
                Heard::Announced(Announcement::Promotion { by: Color::White })
            } else {
                return None;
            };
            let kind = AnnouncementKind::of(&invented);
            let heard = columns.each_ref();
            if heard
                .into_iter()
                .flatten()
                .any(|h| AnnouncementKind::of(h) == kind)
            {
                return None;
            }
            for listener in Listener::ALL {
                let column = columns.get_mut(listener);
                let place = column.iter().position(|h| AnnouncementKind::of(h) > kind)?;
                column.insert(place, invented);
            }
            Some(Some(Fault::Superfluous))
        }
        Plant::Noted => {
            let Some(Answered::Ruled { answer, row }) = line.answered else {
                return None;
            };
            let others = [
                (Answer::No, Answer::Nonsense),
                (Answer::Nonsense, Answer::No),
                (Answer::RepeatNo, Answer::No),
                (Answer::Yes, Answer::None),
                (Answer::None, Answer::Yes),
            ];
            if answer == Answer::Nonsense && row.is_none() {
                return None;
            }
            let (_, other) = others.into_iter().find(|(from, _)| *from == answer)?;
            if !matches!(what, AnnouncementKind::Verdict | AnnouncementKind::Any) {
                return None;
            }
            line.answered = Some(Answered::Ruled {
                answer: other,
                row: None,
            });
            Some(Some(Fault::Wrong))
        }
        Plant::Swapped => {
            if what != AnnouncementKind::Turn || columns.each_ref().into_iter().any(|c| c.len() < 3)
            {
                return None;
            }
            for listener in Listener::ALL {
                let column = columns.get_mut(listener);
                let last = column.len() - 1;
                column.swap(last - 1, last);
            }
            Some(Some(Fault::Order))
        }
    }
}

const PLANTS: [Plant; 7] = [
    Plant::Changed,
    Plant::Dropped,
    Plant::Kept,
    Plant::Leaked,
    Plant::Invented,
    Plant::Noted,
    Plant::Swapped,
];

#[test]
fn audit_finds_only_the_planted_error() {
    let most = number("KRIEGSPIEL_PLANTS", 1);
    let mut total = 0;
    for (ruleset, salt) in every() {
        // Number of planted errors, by kind of announcement and kind of error.
        let mut planted: BTreeMap<(AnnouncementKind, Plant), u64> = BTreeMap::new();
        for seed in 0..30 * most {
            let played = play(ruleset, salt + 9000 + seed, 80);
            for (i, entry) in played.transcript.entries.iter().enumerate() {
                let Entry::Line(line) = entry else { continue };
                let mut kinds: Vec<Heard> = Vec::new();
                let columns = line.heard.iter().flat_map(ByListener::each_ref);
                for heard in columns.flatten() {
                    if !kinds
                        .iter()
                        .any(|k| AnnouncementKind::of(k) == AnnouncementKind::of(heard))
                    {
                        kinds.push(*heard);
                    }
                }
                for heard in kinds {
                    for kind in PLANTS {
                        let what = AnnouncementKind::of(&heard);
                        let count = planted.entry((what, kind)).or_default();
                        if *count >= most {
                            continue;
                        }
                        let mut transcript = played.transcript.clone();
                        let Entry::Line(line) = &mut transcript.entries[i] else {
                            continue;
                        };
                        let Some(fault) = plant(line, heard, kind) else {
                            continue;
                        };
                        *count += 1;
                        total += 1;
                        let found = findings(&transcript);
                        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
                        let context = format!(
                            "{} {kind:?} {what:?} of {heard:?}\n{lines:#?}\n{transcript}",
                            ruleset.id
                        );
                        assert_eq!(found.len(), 1, "{context}");
                        if let Some(fault) = fault {
                            assert_eq!(found[0].fault, fault, "{context}");
                        }
                        if !matches!(kind, Plant::Invented | Plant::Swapped) {
                            assert_eq!(found[0].what, what, "{context}");
                        }
                        let text = transcript.to_string();
                        let at = text.lines().nth(found[0].line as usize - 1).unwrap();
                        let Entry::Line(line) = &transcript.entries[i] else {
                            continue;
                        };
                        assert!(at.starts_with(&line.asked.to_string()), "{context}");
                        assert!(!found[0].rule.is_empty() && !found[0].sources.is_empty());
                        // No choice decides who hears that a move was made.
                        if let Heard::Reply(Reply::Verdict {
                            verdict: Verdict::Moved,
                            ..
                        }) = heard
                            && found[0].what == AnnouncementKind::Verdict
                        {
                            assert!(found[0].rule.starts_with("Row 7"), "{context}");
                        }
                    }
                }
            }
        }
        let kinds = planted.iter().filter(|(_, n)| **n > 0).count();
        assert!(kinds >= 25, "{}: {planted:?}", ruleset.id);
        println!(
            "figure: kinds of errors planted under {} {kinds}",
            ruleset.id
        );
    }
    println!("figure: errors planted {total}");
}

#[test]
fn audit_stops_after_illegal_move_but_not_after_wrong_answer() {
    let head = "title t\nrules cincinnati\nsource CINC\n\n";
    let read = |body: &str| {
        let game = RecordedGame::from_transcript(&format!("{head}{body}")).unwrap();
        let opened = game.opening().unwrap();
        follow(&game, opened, false)
    };
    // The record says "no" to a legal move, and the same player tries again.
    let followed = read("white e2e4 no\nwhite d2d4 moved\nblack e7e5 moved\n");
    assert_eq!(followed.findings.len(), 1);
    assert_eq!(followed.log().len(), 4);
    // The record says "no", but the next line shows that the move was made.
    let followed = read("white e2e4 no\nblack e7e5 moved\n");
    assert_eq!((followed.findings.len(), followed.log().len()), (1, 3));
    // The record says that an illegal move was made.
    let followed = read("white e2e4 moved\nblack e7e4 moved\nwhite d2d4 moved\n");
    assert_eq!((followed.findings.len(), followed.log().len()), (1, 2));
    assert_eq!(followed.notes.len(), 1);
    // The record continues after the end of the game.
    let followed = read("white resign resigned\nblack e7e5 moved\nwhite e2e4 moved\n");
    assert_eq!(followed.findings.len(), 1);
    assert_eq!(followed.findings[0].what, AnnouncementKind::Over);
}

#[test]
fn record_that_cannot_be_judged_to_its_end_is_not_converted() {
    for body in [
        "white e2e5 moved\nblack e7e5 moved\n",
        "black e7e5 moved\nblack d7d5 moved\n",
        "white resign resigned\nblack e7e5 moved\n",
    ] {
        let text = format!("title t\nrules cincinnati\nsource CINC\n\n{body}");
        let game = RecordedGame::from_transcript(&text).unwrap();
        let opened = game.opening().unwrap();
        assert!(follow(&game, opened, true).lost.is_some(), "{body}");
        for to in [Target::Transcript, Target::Pgn, Target::Json] {
            let converted = convert(&game, None, to);
            assert!(
                matches!(converted, Err(ConvertError::Finding(_))),
                "{body}: {converted:?}"
            );
        }
    }
}

#[test]
fn guess_keeps_the_games_ruleset_and_excludes_most_others() {
    for (ruleset, salt) in every() {
        let played = play(ruleset, salt + 20_000, 60);
        let mut played = played.transcript;
        played.entries.retain(|e| {
            !matches!(
                e,
                Entry::Line(TranscriptLine {
                    asked: Asked::Unread { .. },
                    ..
                })
            )
        });
        let game = game(&played);
        let guesses = scores::guess(&game);
        assert_eq!(guesses.len(), 16);
        let own = guesses.iter().find(|g| g.ruleset.id == ruleset.id).unwrap();
        assert!(own.against.is_none(), "{}", ruleset.id);
        assert!(
            guesses.iter().filter(|g| g.against.is_none()).count() < 8,
            "{}",
            ruleset.id
        );
    }
}
