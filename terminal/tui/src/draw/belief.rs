//! Draws the belief of one player of a finished game.

use notation::name;
use ratatui::layout::Rect;
use rules::chess::Color;
use wire::{Side, StepJson};

use super::{
    Pen,
    board::{self, Marks},
    review::step_words,
    wrap,
};
use crate::{
    app::App,
    belief::{Graph, heat, mate_words, men_words, size_words},
    geometry::BoardAt,
    men::{self, square},
    review::Review,
    theme::MenStyle,
};

/// Height of the graph of possible positions, in rows.
const GRAPH_ROWS: u16 = 5;

impl App {
    /// Draws the player's board with a heat map, a graph of the number of
    /// positions, and the facts that were certain for the player.
    pub(crate) fn draw_belief(
        &self,
        pen: &mut Pen<'_>,
        review: &Review,
        (step, side): (&StepJson, Side),
        body: Rect,
    ) {
        let Some(beliefs) = &review.beliefs else {
            return;
        };
        let moments = review.moments(side);
        let moment = moments.get(review.at).copied().flatten();
        let room = Rect::new(
            body.x + 1,
            body.y + 1,
            body.width.saturating_sub(42),
            body.height - 1,
        );
        let color = Color::from(side);
        let below = if self.turned { !color } else { color };
        let at = BoardAt::fitting(room, below, 4);
        let mut marks = Marks::default();
        if let Some(moment) = moment {
            let squares = heat(&moment.heat, beliefs.man).iter();
            let squares = squares.filter_map(|(name, percent)| Some((square(name)?, *percent)));
            marks.heat = squares.collect();
        }
        let men = men::side(&men::board(&step.fen), color);
        let whose = name(!color);
        let title = format!("{whose}: {}, %", men_words(beliefs.man));
        let above = Rect::new(room.x, body.y, at.outer().0.max(24), 1);
        pen.line(above, &title, pen.styles.dim);
        board::board(pen, &at, &men, &marks, self.dress());

        let x = room.x + at.outer().0 + 2;
        let width = body.right().saturating_sub(x + 1);
        let known = beliefs.of(side);
        let size = match (moment, &known.end) {
            (Some(moment), _) => size_words(moment),
            (None, None) => "being computed...".to_owned(),
            (None, Some(why)) => format!("not known: {why}"),
        };
        let mut lines = vec![(step_words(review), pen.styles.call)];
        for line in wrap(&format!("{} could know: {size}", name(color)), width) {
            lines.push((line, pen.styles.text));
        }
        let heads = Rect::new(x, body.y, width, 3);
        pen.lines(heads, &lines);
        let sizes: Vec<_> = moments
            .iter()
            .map(|m| m.and_then(|m| m.positions))
            .collect();
        let graph = Rect::new(x, heads.bottom() + 1, width, GRAPH_ROWS);
        self.draw_graph(pen, &sizes, review.at, graph);

        let y = graph.bottom() + 2;
        let list = Rect::new(x, y, width, body.bottom().saturating_sub(y));
        let facts = moment.map_or(&[][..], |moment| &moment.facts);
        let mut lines = vec![("Certain:".to_owned(), pen.styles.dim)];
        if moment.is_none() {
            lines.clear();
        } else if facts.is_empty() {
            lines.push(("  nothing".to_owned(), pen.styles.dim));
        }
        let mates = moment.map(mate_words).unwrap_or_default();
        for fact in facts.iter().chain(&mates) {
            let wrapped = wrap(fact, width.saturating_sub(2));
            lines.extend(
                wrapped
                    .iter()
                    .map(|line| (format!("  {line}"), pen.styles.text)),
            );
        }
        let rows = usize::from(list.height);
        if lines.len() > rows && rows > 0 {
            lines.truncate(rows - 1);
            lines.push((
                "  and more: make the window higher".to_owned(),
                pen.styles.dim,
            ));
        }
        pen.lines(list, &lines);
    }

    /// Draws the graph of the number of possible positions at each step.
    fn draw_graph(&self, pen: &mut Pen<'_>, sizes: &[Option<u64>], now: usize, at: Rect) {
        let bar = match self.start.men {
            MenStyle::Unicode => '█',
            MenStyle::Ascii => '#',
        };
        let room = (usize::from(at.width), usize::from(at.height));
        let graph = Graph::of(sizes, now, room, bar);
        let scale = format!("Positions by step, from 1 to 10^{}", graph.most);
        pen.line(
            Rect::new(at.x, at.y - 1, at.width, 1),
            &scale,
            pen.styles.dim,
        );
        for (line, row) in at.rows().zip(&graph.rows) {
            pen.line(line, row, pen.styles.capture);
        }
        let column = at.x + graph.now as u16;
        pen.line(Rect::new(column, at.bottom(), 1, 1), "^", pen.styles.no);
    }
}

/// Returns the list of keys for the view of a belief.
pub(crate) fn keys(width: u16) -> &'static str {
    let forms = [
        " Left, Right: step  b: other player, then the boards  h: next kind of men  F1 Help  q Quit",
        " Left, Right: step  b: next player  h: men  F1 Help  q Quit",
    ];
    let fits = |text: &&&str| text.len() <= usize::from(width);
    forms.iter().find(fits).unwrap_or(&forms[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_belief_view_fit_the_width() {
        for width in [60, 80, 108] {
            assert!(keys(width).len() <= usize::from(width), "{width}");
        }
    }
}
