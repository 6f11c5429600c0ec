//! Rulings in words.

use super::{PlayerNames, action, by_side, count, list, number};
use canasta_engine::action::{Authority, Effect, EffectKind, Ruling};
use canasta_engine::log::codes::{self, AUTHORITIES};

/// Returns a ruling as an official says it: `ruling 1 by director (IR-021): 100 points against North-South;
/// North-South needs 10 points more to open`.
pub fn ruling(ruling: &Ruling, names: &PlayerNames) -> String {
    let by = if ruling.by == Authority::Auto { "the rules" } else { codes::word(&AUTHORITIES, ruling.by) };
    let side = names.side(ruling.side);
    let points = match ruling.points {
        0 => "no points".into(),
        points @ ..0 => format!("{} points against {side}", number(-points)),
        points => format!("{} points back to {side}", number(points)),
    };
    let effect = effect(&ruling.effect, &side, names);
    let effect = if effect.is_empty() { effect } else { format!("; {effect}") };
    let reverses = ruling.reverses.map_or_else(String::new, |id| format!("; ruling {id} is reversed"));
    let signed = if ruling.signature.is_some() { "; signed (not verified)" } else { "" };
    format!("ruling {} by {by} ({}): {points}{effect}{reverses}{signed}", ruling.id, ruling.rule)
}

/// Returns what a ruling orders besides its points; an empty text for nothing.
fn effect(effect: &Effect, side: &str, names: &PlayerNames) -> String {
    let seat = effect.seat.map_or_else(String::new, |seat| names.seat(seat));
    let lost = effect.side.map_or_else(|| side.to_owned(), |side| names.side(side));
    match effect.kind {
        EffectKind::None => String::new(),
        EffectKind::Warning => "a warning".into(),
        EffectKind::RaiseMinimum => {
            format!("{side} needs {} more to open", count(effect.by.unwrap_or(0), "point"))
        }
        EffectKind::PenaltyCards => {
            format!("{seat} has penalty cards, which are discarded first: {}", list(&effect.cards))
        }
        EffectKind::ForfeitPile => match effect.until.unwrap_or(0) {
            0 => format!("{seat} may not take the pile in this turn"),
            turns => {
                format!("{seat} may not take the pile in this turn and {} after it", count(turns, "turn"))
            }
        },
        EffectKind::Stand => match &effect.action {
            Some(stands) => format!("what was done stands: {}", action(stands, names)),
            None => "what was done stands".into(),
        },
        EffectKind::Redeal => "the round is dealt again".into(),
        EffectKind::Restore => {
            format!("play goes on from the position after action {}", number(effect.to_seq.unwrap_or(0)))
        }
        EffectKind::RevokeTalon => format!("{lost} loses a talon"),
        EffectKind::Adjust if effect.points.is_empty() => "the score is corrected".into(),
        EffectKind::Adjust => format!("the score is corrected: {}", by_side(&effect.points, names)),
        EffectKind::Forfeit => {
            let award = effect.award.filter(|award| *award > 0);
            let award =
                award.map_or_else(String::new, |award| format!(", {} to the others", count(award, "point")));
            format!("{lost} loses the game{award}")
        }
        EffectKind::StopClock => "the clock is stopped".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::action::Action;
    use canasta_engine::notation::Proposal;
    use canasta_engine::rules::PresetId;

    /// Checks the sentence of every effect, written by hand.
    #[test]
    fn every_effect_has_its_sentence() {
        let set = PresetId::from_name("classic-4p").expect("a preset").rule_set();
        let names = PlayerNames::seats_of(&set);
        for (line, expected) in [
            ("IR-050 -100 NS N", "(IR-050): 100 points against North-South"),
            ("IR-074 0 NS by jury effect warning", "by jury (IR-074): no points; a warning"),
            ("IR-021 -100 NS N effect raise_minimum 10", "; North-South needs 10 points more to open"),
            (
                "IR-030 0 EW E effect penalty_cards E Kd 4c",
                "; East has penalty cards, which are discarded first: Kd 4c",
            ),
            ("IR-011 0 NS N effect forfeit_pile N 0", "; North may not take the pile in this turn"),
            (
                "IR-011 0 NS N effect forfeit_pile N 1",
                "; North may not take the pile in this turn and 1 turn after it",
            ),
            ("IR-023 0 NS N effect stand \"discard 4c\"", "; what was done stands: discards 4c"),
            ("IR-005 0 NS effect redeal", "(IR-005): no points; the round is dealt again"),
            ("IR-013 -100 NS N effect restore 14", "; play goes on from the position after action 14"),
            ("IR-060 0 NS effect revoke_talon NS", "; North-South loses a talon"),
            (
                "IR-070 0 NS effect adjust 100 -50",
                "; the score is corrected: +100 to North-South, -50 to East-West",
            ),
            (
                "IR-071 0 NS effect forfeit NS 2000",
                "; North-South loses the game, 2,000 points to the others",
            ),
            ("IR-033 0 NS effect stop_clock", "; the clock is stopped"),
            ("IR-050 100 NS reverses 3", "100 points back to North-South; ruling 3 is reversed"),
        ] {
            let parsed = Proposal::parse(&format!("ruling {line}"), &set).expect(line).action;
            let Action::Ruling(of) = parsed else { panic!("{line}") };
            let said = ruling(&of, &names);
            assert!(said.ends_with(expected), "{said}");
        }
    }
}
