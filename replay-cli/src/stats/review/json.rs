//! A review for programs: `canasta-review/1`, described in docs/formats/JSON.md.

use super::{GameReview, PlayedDecision, PlayerReview, ReviewedDecision, ReviewedRound};
use crate::shared::json::present;
use crate::shared::text::{action_line, hex};
use canasta_engine::action::Action;
use canasta_engine::bot::ReviewSlip;
use canasta_engine::table::Table;
use canasta_engine::text::words::REASONS;
use serde_json::{Value, json};

pub fn value(game: &GameReview<'_>) -> Value {
    let genesis = &game.history.genesis;
    let players = genesis.players.iter().zip(&game.players);
    json!({
        "format": "canasta-review/1",
        "game_id": hex(&genesis.game_id),
        "ruleset": genesis.rule_set_id,
        "level": game.args.level.number(),
        "playouts": game.args.level.playouts(),
        "seed": game.args.seed,
        "rounds": game.rounds.iter().map(round).collect::<Value>(),
        "players": players.map(|(player, sums)| of_player(&player.name, sums)).collect::<Value>(),
        "decisions": game.decisions.iter().map(decision).collect::<Value>(),
    })
}

fn round(round: &ReviewedRound) -> Value {
    present(json!({"round": round.round, "ahead": round.points, "luck": round.luck}))
}

fn of_player(name: &str, sums: &PlayerReview) -> Value {
    let mut value = json!({
        "name": name,
        "decisions": sums.decisions,
        "accuracy_thousandths": sums.accuracy(),
        "lost": sums.lost,
        "error": sums.error(),
    });
    for (slip, count) in ReviewSlip::ALL.into_iter().zip(sums.slips) {
        value[slip.name()] = count.into();
    }
    value
}

fn decision(decision: &ReviewedDecision) -> Value {
    let (PlayedDecision { n, round, seat, table, played, .. }, review) = (&decision.of, &decision.review);
    let alternatives = review.estimates.iter().map(|each| {
        let (gain, error) = each.gain();
        json!({"action": line(&each.action, table), "tables": each.tables, "points": each.points(), "gain": gain, "error": error})
    });
    let is_compared = review.tables > 0;
    present(json!({
        "record": n,
        "round": round,
        "seat": seat.0,
        "played": line(played, table),
        "best": line(&review.best, table),
        "reason": review.reason.map(|reason| REASONS[reason as usize].name),
        "lost": is_compared.then_some(review.lost),
        "error": is_compared.then_some(review.error),
        "tables": is_compared.then_some(review.tables),
        "slip": decision.slip().map(ReviewSlip::name),
        "alternatives": alternatives.collect::<Value>(),
    }))
}

/// Returns an action in notation.
fn line(action: &Action, table: &Table) -> Option<String> {
    action_line(None, action, table.set())
}
