//! A review as text, in English and German.

use super::{GameReview, PlayedDecision, ReviewedDecision, ReviewedRound};
use crate::shared::table::TextTable;
use crate::shared::text::{number, number_in};
use crate::stats::german::say;
use canasta_engine::action::As;
use canasta_engine::seat::Unit;
use canasta_engine::violations::template::Language;
use std::collections::BTreeSet;
use std::io::{Result, Write};

pub fn write(game: &GameReview<'_>, language: Language, out: &mut dyn Write) -> Result<()> {
    let (level, playouts) = (game.args.level.number(), game.args.level.playouts());
    let decisions = game.decisions.len() as i64;
    let rule_set = &game.history.genesis.rule_set_id;
    let head = format!(
        "review · {rule_set} · level {level}, {} playouts · {} decisions",
        number(playouts),
        number(decisions)
    );
    writeln!(out, "{}", say(&head, language))?;
    let decided = game.decisions.iter().map(|decision| decision.of.round);
    let rounds: BTreeSet<u32> = decided.chain(game.rounds.iter().map(|round| round.round)).collect();
    for round in rounds {
        writeln!(out, "\n{}", say(&format!("round {round}"), language))?;
        if let Some(ended) = game.rounds.iter().find(|ended| ended.round == round) {
            write_round(game, ended, language, out)?;
        }
        for decision in game.decisions.iter().filter(|decision| decision.of.round == round) {
            write_decision(game, decision, language, out)?;
        }
    }
    writeln!(out)?;
    write_players(game, language, out)
}

/// Writes how far each side was ahead, and how much of that the cards alone were worth.
fn write_round(
    game: &GameReview<'_>,
    round: &ReviewedRound,
    language: Language,
    out: &mut dyn Write,
) -> Result<()> {
    let names = game.history.names(Some(&round.table));
    for (unit, points) in (0..).map(Unit).zip(&round.points) {
        let luck = round.luck.as_ref().and_then(|luck| luck.get(unit.index()));
        let ahead = match luck {
            Some(luck) => format!("{} points ahead, luck of the deal {}", signed(*points), signed(*luck)),
            None => format!("{} points ahead", signed(*points)),
        };
        writeln!(out, "  {}: {}", names.unit(unit), say(&ahead, language))?;
    }
    Ok(())
}

fn write_decision(
    game: &GameReview<'_>,
    decision: &ReviewedDecision,
    language: Language,
    out: &mut dyn Write,
) -> Result<()> {
    let (PlayedDecision { n, seat, table, played, .. }, review) = (&decision.of, &decision.review);
    let slip = decision.slip();
    if slip.is_none() && !game.args.all {
        return Ok(());
    }
    let names = game.history.names(Some(table)).on_table(Some(table), As::Seat(*seat));
    let judged = match (slip, review.best == *played) {
        (Some(slip), _) => {
            format!("{}: {} ± {} points lost", slip.name(), number(review.lost), number(review.error))
        }
        (None, true) => "the level's step too".to_owned(),
        (None, false) if review.slip().is_some() => "lost already in this turn".to_owned(),
        (None, false) => "no worse, as far as three standard errors tell".to_owned(),
    };
    writeln!(out, "  #{} {}", names.number(*n), names.acted(As::Seat(*seat), played))?;
    let instead = match review.best == *played {
        true => judged,
        false => format!("{judged}; instead: {}", names.action(&review.best)),
    };
    writeln!(out, "    {}", say(&instead, language))
}

fn write_players(game: &GameReview<'_>, language: Language, out: &mut dyn Write) -> Result<()> {
    let mut table = TextTable::new([
        "player",
        "decisions",
        "accuracy",
        "points lost",
        "inaccuracies",
        "mistakes",
        "blunders",
    ]);
    table.head.iter_mut().for_each(|head| *head = say(head, language));
    for (player, sums) in game.history.genesis.players.iter().zip(&game.players) {
        let [inaccuracies, mistakes, blunders] = sums.slips.map(number);
        let accuracy = say(&format!("{}.{} %", sums.accuracy() / 10, sums.accuracy() % 10), language);
        let (lost, error) = (number_in(sums.lost, language), number_in(sums.error(), language));
        let decisions = number_in(sums.decisions, language);
        table.row([
            player.name.clone(),
            decisions,
            accuracy,
            format!("{lost} ± {error}"),
            inaccuracies,
            mistakes,
            blunders,
        ]);
    }
    table.write("", out)
}

fn signed(points: i32) -> String {
    let sign = if points < 0 { "-" } else { "+" };
    format!("{sign}{}", number(points.unsigned_abs()))
}
