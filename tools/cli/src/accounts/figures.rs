//! The command `kriegspiel accounts figures`.

use std::io::{self, Write};

use anyhow::Context;
use referee::Event;
use rules::chess::Color;
use scores::{RecordedGames, SeatRecord, Tags, write_umpire_view};
use server::TurnWork;
use store::{Act, GameRecord, GameSearch, Row, TimeControl};
use wire::TurnsJson;

use super::{AccountName, Text, find};

/// Compare the play of an account with the engine, and with the account's opponents
///
/// For each of its newest finished games: how many first attempts of a turn were
/// those of the engine, the accuracy (docs/belief.md), and the median time before
/// them. The last two lines have all games together, with the quartiles of the
/// times. No figure proves that somebody had help: look at the games.
#[derive(Debug, clap::Args)]
pub(super) struct FiguresArgs {
    #[command(flatten)]
    named: AccountName,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,

    /// Work for one turn: number of positions that are valued
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    nodes: u64,
}

/// How one side played, in one game or in several.
#[derive(Default)]
struct Figures {
    /// Turns in which the engine would make an attempt.
    turns: usize,
    agreed: usize,
    accuracies: Vec<u8>,
    /// Times from the opponent's move to the first attempt, in milliseconds. Only with a clock.
    times: Vec<i64>,
}

impl Figures {
    fn of(reviewed: &TurnsJson, times: Vec<i64>) -> Figures {
        let known = reviewed.turns.iter().filter(|turn| turn.best.is_some());
        let agreed = known
            .clone()
            .filter(|turn| turn.best.as_ref() == Some(&turn.made));
        Figures {
            turns: known.clone().count(),
            agreed: agreed.count(),
            accuracies: reviewed.accuracy.into_iter().collect(),
            times,
        }
    }

    fn add(&mut self, other: &Figures) {
        self.turns += other.turns;
        self.agreed += other.agreed;
        self.accuracies.extend(&other.accuracies);
        self.times.extend(&other.times);
    }

    /// Returns the percentage of agreement and the mean accuracy.
    fn percents(&self) -> String {
        let mean = |sum: usize, count: usize| match count {
            0 => "-".to_owned(),
            count => format!("{:.0} %", sum as f64 / count as f64),
        };
        let accuracies = self.accuracies.iter().map(|one| usize::from(*one)).sum();
        let (agreed, accuracy) = (
            mean(100 * self.agreed, self.turns),
            mean(accuracies, self.accuracies.len()),
        );
        format!("{:>5}  {agreed:>6}  {accuracy:>8}", self.turns)
    }

    /// Returns quarter `n` of the times, in seconds.
    fn quarter(&self, n: usize) -> String {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at = times.len().saturating_sub(1) * n / 4;
        times.get(at).map_or("-".to_owned(), |time| {
            format!("{:.1}", *time as f64 / 1000.0)
        })
    }
}

/// Returns the times from each move of the opponent to the next attempt of `seat`.
fn times(rows: &[Row], seat: Color) -> Vec<i64> {
    let (mut times, mut since) = (Vec::new(), None);
    for row in rows {
        let Act::Game(event) = &row.act else { continue };
        match event {
            Event::Moved { by, .. } if *by != seat => since = Some(row.at),
            Event::Moved { .. } | Event::Rebuffed { .. } | Event::Any { .. } => {
                times.extend(since.take().map(|since| row.at - since));
            }
            Event::Opened(_)
            | Event::Count { .. }
            | Event::Recap { .. }
            | Event::Resigned { .. }
            | Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::Withdrew { .. }
            | Event::Flagged { .. }
            | Event::Left { .. }
            | Event::Aborted => {}
        }
    }
    times
}

/// Reviews both sides of a finished game: first `seat`, then the opponent.
fn reviewed(
    record: &GameRecord,
    rows: &[Row],
    seat: Color,
    nodes: u64,
) -> anyhow::Result<[Figures; 2]> {
    let log: Vec<Event> = rows
        .iter()
        .filter_map(|row| match &row.act {
            Act::Game(event) => Some(event.clone()),
            Act::Table(_) => None,
        })
        .collect();
    let mut pgn = String::new();
    write_umpire_view(&mut pgn, &Tags::default(), &log, &[]);
    let mut games = RecordedGames::new(pgn.as_bytes())?;
    let recorded = games.next().context("the log cannot be read")???;
    let has_clock = matches!(record.terms.time, TimeControl::Clock { .. });
    let mut both = [Figures::default(), Figures::default()];
    for (side, figures) in [seat, seat.other()].into_iter().zip(&mut both) {
        let seat_record = SeatRecord::of(&recorded, recorded.opening()?, side);
        let mut work = TurnWork::new(seat_record, nodes).map_err(anyhow::Error::msg)?;
        work.advance(|| true);
        let times = if has_clock {
            times(rows, side)
        } else {
            Vec::new()
        };
        *figures = Figures::of(&work.finish(), times);
    }
    Ok(both)
}

pub(super) async fn figures(args: &FiguresArgs) -> anyhow::Result<()> {
    let (store, account) = find(&args.named).await?;
    let mut output = Text::new(io::stdout().lock());
    writeln!(
        output,
        "{:<12}  {:<19}  colour  result   turns  engine  accuracy  seconds",
        "game", "begun (UTC)"
    )?;
    let found = store
        .store()
        .finished(&GameSearch::of(account.id), args.games)
        .await?;
    let (mut own, mut others) = (Figures::default(), Figures::default());
    for record in found.iter().take(args.games as usize) {
        let rows = store.store().rows(record.id, 0).await?;
        let Some(seat) = record.seat(Some(account.id)).color() else {
            continue;
        };
        let [one, other] = reviewed(record, &rows, seat, args.nodes)
            .with_context(|| format!("game {}", record.id))?;
        let result = record.over.map_or("", |over| over.winner.score());
        writeln!(
            output,
            "{:<12}  {:<19}  {seat:<6}  {result:<7}  {}  {:>7}",
            record.id.to_string(),
            club::utc(record.at),
            one.percents(),
            one.quarter(2),
        )?;
        output.flush()?;
        own.add(&one);
        others.add(&other);
    }
    for (name, all) in [(&*account.name, own), ("its opponents", others)] {
        let [quarter, median, three_quarters] = [1, 2, 3].map(|n| all.quarter(n));
        writeln!(
            output,
            "{name:<50}  {}  {quarter} {median} {three_quarters}",
            all.percents()
        )?;
    }
    output.flush()?;
    store.close().await;
    Ok(())
}
