//! The ruling that is proposed: as a line of notation, as a request, and judged by the rules.

use super::incident::Incident;
use super::spoken::SUITS;
use super::{Args, FoundLaw};
use crate::judging::as_known::TableAsKnown;
use crate::shared::json::{present, some};
use crate::shared::text::{action_line, join, list};
use anyhow::{Context, anyhow, bail};
use canasta_engine::action::choices::{self, AUTHORITIES, EFFECTS};
use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use canasta_engine::apply::apply;
use canasta_engine::card::Card;
use canasta_engine::check::check;
use canasta_engine::notation::words::quote;
use canasta_engine::rejection::Rejection;
use canasta_engine::seat::Side;
use canasta_engine::table::{Permission, Setup, Table};
use serde_json::{Value, json};

/// Maximum size of the reason that a record states, in bytes.
const REASON_MAX: usize = 1024;

/// A proposed ruling, and what it still lacks.
#[derive(Default)]
pub struct ProposedRuling {
    /// The line in notation, with words in capitals where something is missing.
    pub line: String,
    /// The ruling; `None` if something is missing.
    pub action: Option<Action>,
    /// The words in the line that stand for missing parts.
    pub missing: Vec<&'static str>,
    /// The reason why the game as it is now refuses the ruling.
    pub refused: Option<String>,
    /// A remark on the effect, by its word in the message `rule_remark`.
    pub remark: Option<&'static str>,
    /// Whether the answer to the question no longer binds: the seat cannot go out, and plays on (IR-050).
    lifts_question: bool,
    /// The table on which play goes on, for an action that stands.
    standing: Option<TableAsKnown>,
}

pub struct AfterRuling {
    pub table: Table,
    /// The position to go on from, in notation.
    pub position: String,
}

impl ProposedRuling {
    /// Proposes the usual ruling under the law, changed as the arguments say.
    ///
    /// # Errors
    /// If an argument is outside what the law allows.
    pub fn new(args: &Args, incident: &Incident, finding: &FoundLaw, what: &str) -> anyhow::Result<Self> {
        let of_position = if finding.by_words { (None, None) } else { incident.offender() };
        let of_turn = || incident.seat.filter(|_| of_position.1.is_none());
        let offender = match &args.seat {
            Some(word) => Some(incident.find_seat(word).ok_or_else(|| {
                anyhow!("--seat: expected one of {}, found {word:?}", incident.names.all())
            })?),
            None => incident.offender_in(what, &finding.row).or(of_position.0).or_else(of_turn),
        };
        let (names, set) = (incident.spelling(), incident.rules.set());
        let by = args.by.as_deref().unwrap_or("director");
        let law = finding.remedy.law;
        let points = args.points.unwrap_or(finding.remedy.points);
        check_arguments(args, finding, points, by)?;
        let lifts_question = law == "IR-050" && incident.irregular_laws().any(|of| of == law);
        let mut proposed = Self { lifts_question, ..Self::default() };
        // A ruling that takes nothing from anybody names the first side.
        let effect = args.effect.as_deref().unwrap_or(finding.remedy.effect);
        let kind = effect.split(' ').next().unwrap_or_default();
        let is_neutral = points == 0 && ["none", "redeal", "adjust"].contains(&kind);
        let offender = offender.filter(|_| !["redeal", "adjust"].contains(&kind));
        let side = match (offender, incident.table()) {
            (None, _) if is_neutral => names.side_name(Side(0)),
            (None, _) if of_position.1.is_some() => {
                of_position.1.map_or_else(String::new, |side| names.side_name(side))
            }
            (None, _) => proposed.lacks("SIDE"),
            (Some(seat), Some(table)) => names.side_name(table.side_of(seat)),
            (Some(seat), None) => names.side_name(set.formed_side_of(seat, None)),
        };
        let seat = offender.map(|seat| names.seat_name(seat));
        let effect = match &args.effect {
            Some(effect) => effect.clone(),
            None => proposed.usual_effect(
                finding.remedy.effect,
                incident,
                args,
                what,
                (seat.as_deref(), &side),
            )?,
        };
        let mut line = format!("ruling {} {points} {side}", finding.sanction.recorded());
        seat.iter().for_each(|seat| line += &format!(" {seat}"));
        if by != "director" {
            line += &format!(" by {by}");
        }
        if effect != "none" {
            line += &format!(" effect {effect}");
        }
        let reason = args.reason.as_deref().unwrap_or(if incident.is_action { "" } else { what }).trim();
        anyhow::ensure!(reason.len() <= REASON_MAX, "--reason: expected at most {REASON_MAX} bytes");
        if proposed.missing.is_empty() {
            let parsed = names.proposal(&line).map_err(|error| anyhow!("{law}: {line}: {error}"))?;
            let Action::Ruling(mut ruling) = parsed.action else { bail!("{line}: expected a ruling") };
            ruling.reason = reason.to_owned();
            let action = Action::Ruling(ruling);
            let strict = action_line(None, &action, set);
            line = strict.ok_or_else(|| anyhow!("{line}: the effect lacks a field"))?;
            proposed.action = Some(action);
        }
        proposed.line = line;
        Ok(proposed)
    }

    fn lacks(&mut self, word: &'static str) -> String {
        self.missing.push(word);
        word.to_owned()
    }

    /// Returns that the ruling has no effect, and remarks why.
    fn without_effect(&mut self, remark: &'static str) -> String {
        self.remark = Some(remark);
        "none".to_owned()
    }

    /// Returns the usual effect of the law with what the situation says about it.
    fn usual_effect(
        &mut self,
        effect: &str,
        incident: &Incident,
        args: &Args,
        what: &str,
        (seat, side): (Option<&str>, &str),
    ) -> anyhow::Result<String> {
        let seat = |this: &mut Self| seat.map_or_else(|| this.lacks("SEAT"), str::to_owned);
        let is_refused = incident.offence.as_ref().is_some_and(|offence| !offence.is_done);
        Ok(match effect {
            "penalty_cards" => {
                let seat = seat(self);
                let cards = match &args.cards {
                    Some(cards) => cards.clone(),
                    None => cards_in(what),
                };
                let cards = if cards.is_empty() { self.lacks("CARDS") } else { cards };
                format!("penalty_cards {seat} {cards}")
            }
            "forfeit_pile" => format!("forfeit_pile {} 0", seat(self)),
            "revoke_talon" | "forfeit" => format!("{effect} {side}"),
            "restore" if is_refused => self.without_effect("unchanged"),
            "restore" => match incident.record.as_ref().map(|record| record.step) {
                Some(step) if step > 0 => format!("restore {step}"),
                _ => self.without_effect("put_back"),
            },
            "stand" => match incident.standing() {
                Some((action, then)) => self.stand(action, then, incident)?,
                // The table could be followed, and what was laid is no meld.
                None if incident.is_action
                    && incident.typed_with_unknown().is_none()
                    && incident.position.is_some() =>
                {
                    self.without_effect("odd_cards")
                }
                None => self.without_effect("stands"),
            },
            "adjust" => {
                let points = self.lacks("POINTS");
                format!("adjust {points}")
            }
            other => other.to_owned(),
        })
    }

    /// Returns the effect that lets an action stand, with the position from which play goes on.
    fn stand(&mut self, action: &Action, then: TableAsKnown, incident: &Incident) -> anyhow::Result<String> {
        let action = action_line(None, action, incident.rules.set());
        let action = action.context("the action cannot be written")?;
        let position = then.position().to_string();
        if position.contains("??") {
            self.remark = Some("unknown_cards");
        }
        self.standing = Some(then);
        let mut effect = String::from("stand ");
        quote(&action, &mut effect);
        effect += " position ";
        quote(&position, &mut effect);
        Ok(effect)
    }

    /// Judges the ruling at the table; `None` if the table is not known or the ruling is not complete. A position
    /// before the irregularity is the one that `restore` goes back to.
    pub fn judge(&self, incident: &Incident) -> Option<Result<Box<AfterRuling>, Rejection>> {
        let after = self.judge_at(incident.position.clone()?)?;
        let typed = incident.typed.as_ref().filter(|_| self.standing.is_none());
        Some(after.map(|mut after| {
            if let Some(typed) = typed {
                after.position = with_rulings(&typed.text, &after.position, self.lifts_question);
            }
            after
        }))
    }

    /// Judges the ruling at a table; `None` if the ruling is not complete.
    pub fn judge_at(&self, mut before: TableAsKnown) -> Option<Result<Box<AfterRuling>, Rejection>> {
        let Some(Action::Ruling(ruling)) = &self.action else { return None };
        if self.lifts_question
            && let Some(table) = played_on(&before.table)
        {
            before.table = table;
        }
        let mut ruling = ruling.clone();
        match (ruling.effect.kind, ruling.effect.seat, &self.standing) {
            (EffectKind::PenaltyCards, Some(seat), _) => {
                before.show(seat, &Action::Ruling(ruling.clone()));
            }
            (EffectKind::Stand, _, Some(standing)) => before = standing.clone(),
            _ => {}
        }
        if matches!(ruling.effect.kind, EffectKind::Restore | EffectKind::Stand) {
            ruling.effect = Effect::of(EffectKind::None);
        }
        let legal = match check(&before.table, As::Director, &Action::Ruling(ruling)) {
            Ok(legal) => legal,
            Err(rejection) => return Some(Err(rejection)),
        };
        apply(&mut before.table, legal);
        let position = before.position().to_string();
        Some(Ok(Box::new(AfterRuling { table: before.table, position })))
    }

    /// Returns the ruling as a request of ApplyAction, in the JSON form of canasta.v1; Act takes it in `apply`. `None`
    /// for an action that stands, whose request holds the whole action: a client has it, and this program does not.
    pub fn request(&self) -> Option<Value> {
        let Some(Action::Ruling(ruling)) = &self.action else { return None };
        if ruling.effect.kind == EffectKind::Stand {
            return None;
        }
        Some(json!({"actor": {"role": "ROLE_DIRECTOR"}, "action": {"ruling": ruling_value(ruling)}}))
    }
}

/// Returns the table without the answer to a question that binds a seat which cannot go out.
fn played_on(table: &Table) -> Option<Table> {
    let setup = Setup { permission: Permission::None, answered: None, ..Setup::of(table) };
    setup.as_it_stands().0
}

/// Returns the typed position with the rulings of the whole one.
fn with_rulings(typed: &str, whole: &str, lifts_question: bool) -> String {
    let is_ruling = |section: &&str| {
        ["ruling ", "rulings ", "adjusted ", "lost "]
            .iter()
            .any(|word| section.trim_start().starts_with(word))
    };
    let typed_word = |section: &&str| section.trim_start().to_ascii_lowercase();
    let old: &[&str] =
        if lifts_question { &["penalty ", "forfeited ", "answered "] } else { &["penalty ", "forfeited "] };
    let kept = typed.split(';').filter(|section| !is_ruling(section));
    let kept = kept.filter(|section| !old.iter().any(|word| typed_word(section).starts_with(word)));
    join(kept.chain(whole.split(';').filter(is_ruling)).map(str::trim), "; ")
}

fn check_arguments(args: &Args, finding: &FoundLaw, points: i32, by: &str) -> anyhow::Result<()> {
    let (law, sanction) = (finding.remedy.law, finding.sanction);
    let (low, high) = sanction.penalty.points;
    if !(low..=high).contains(&points) || points % 5 != 0 {
        bail!("--points: {law} allows {low} to {high} in steps of 5, found {points}");
    }
    let authority = choices::from_word(&AUTHORITIES, by);
    if !authority.is_some_and(|by| by != Authority::Auto && sanction.penalty.is_issued_by(by)) {
        bail!("--by: {law} is ruled {sanction}; found {by:?}");
    }
    if let Some(effect) = &args.effect {
        let word = effect.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        let kind = choices::from_word(&EFFECTS, &word);
        let allows = kind.is_some_and(|kind| sanction.penalty.allows(kind));
        anyhow::ensure!(allows, "--effect: {law} allows {sanction}; found {effect:?}");
    }
    Ok(())
}

/// Returns the cards that words name: `Kd`, or `king of diamonds`.
fn cards_in(what: &str) -> String {
    const RANKS: &str = "ace two three four five six seven eight nine ten jack queen king";
    let words: Vec<&str> =
        what.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is = |name: &str, word: &str| {
        word.to_ascii_lowercase().strip_suffix('s').unwrap_or(word).eq_ignore_ascii_case(name)
    };
    let spelled = |at: usize| {
        let (_, rank) =
            RANKS.split(' ').zip("A23456789TJQK".chars()).find(|(name, _)| is(name, words[at]))?;
        let suit = SUITS.iter().find(|name| words.get(at + 2).is_some_and(|word| is(name, word)))?;
        Card::parse(&format!("{rank}{}", &suit[..1])).filter(|_| words[at + 1] == "of")
    };
    let typed = |word: &str| {
        Card::parse(word).filter(|card| word.len() == 2 || card.to_string().len() == 2 && word.len() == 3)
    };
    let cards = (0..words.len()).filter_map(|at| {
        let joker = is("joker", words[at]).then(|| Card::parse("X")).flatten();
        typed(words[at]).or_else(|| spelled(at)).or(joker)
    });
    list(cards)
}

fn ruling_value(ruling: &Ruling) -> Value {
    let by = choices::word(&AUTHORITIES, ruling.by).to_uppercase();
    present(json!({
        "by": format!("AUTHORITY_{by}"),
        "side": ruling.side.0,
        "rule": ruling.rule,
        "points": ruling.points,
        "offender": ruling.offender.map(|seat| seat.0),
        "reason": some(ruling.reason.as_str()),
        "effect": effect_value(&ruling.effect),
    }))
}

fn effect_value(effect: &Effect) -> Option<Value> {
    let seat = effect.seat.map(|seat| seat.0);
    let side = effect.side.map(|side| side.0);
    let cards: Vec<String> = effect.cards.iter().map(ToString::to_string).collect();
    Some(match effect.kind {
        EffectKind::None | EffectKind::Stand => return None,
        EffectKind::Warning => json!({"warning": {}}),
        EffectKind::RaiseMinimum => json!({"raiseMinimum": {"points": effect.by}}),
        EffectKind::PenaltyCards => json!({"penaltyCards": {"seat": seat, "cards": cards}}),
        EffectKind::ForfeitPile => json!({"forfeitPile": {"seat": seat, "until": effect.until.unwrap_or(0)}}),
        EffectKind::Redeal => json!({"redeal": {}}),
        // Numbers of 64 bits are strings in the JSON form of protobuf.
        EffectKind::Restore => json!({"restore": {"toSeq": effect.to_seq.map(|seq| seq.to_string())}}),
        EffectKind::RevokeTalon => json!({"revokeTalon": {"side": side}}),
        EffectKind::Adjust => json!({"adjust": {"points": effect.points}}),
        EffectKind::Forfeit => json!({"forfeit": {"side": side, "award": effect.award.unwrap_or(0)}}),
        EffectKind::StopClock => json!({"stopClock": {}}),
    })
}
