//! Rulings in one line: `ruling IR-021 -100 NS N effect raise_minimum 10`.

use super::{write_action, write_list};
use crate::action::choices::{self, AUTHORITIES, EFFECTS};
use crate::action::{Action, Authority, CardList, Effect, EffectKind, Ruling};
use crate::notation::Names;
use crate::notation::rulings::{number, signed};
use crate::notation::span::{Read, Span};
use crate::notation::words::{put_hex, quote, unquote};
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::Write as _;

/// The words that begin the optional fields of a ruling. They are reserved: a player of such a name cannot be named there.
const FIELDS: [&str; 6] = ["by", "effect", "reverses", "id", "signature", "reason"];

/// Parses `RULE POINTS SIDE [SEAT] [by WHO] [effect EFFECT] [reverses ID] [id ID] [signature HEX] [reason "..."]`. Without an
/// id, the ruling has id 0, which stands for the next number. Without `by`, the director issues the ruling.
pub fn read(body: Span<'_>, names: Names<'_>) -> Read<Action> {
    let (rule, rest) = match body.text.starts_with('"') {
        true => unquote(body)?,
        false => (String::from(body.word().0.text), body.word().1),
    };
    let (points, rest) = rest.word();
    let (side, mut rest) = names.word(rest);
    let mut ruling = Ruling {
        by: Authority::Director,
        side: names.side(side)?,
        rule,
        points: signed(points)?,
        ..Ruling::default()
    };
    let (word, after) = names.word(rest);
    let is_field = FIELDS.iter().any(|field| word.is(field));
    if !is_field && let Some(seat) = names.seat_or_none(word)? {
        (ruling.offender, rest) = (Some(seat), after);
    }
    while !rest.is_empty() {
        let (word, after) = rest.word();
        if word.is("reason") {
            (ruling.reason, rest) = unquote(after)?;
            continue;
        }
        let (value, after) = after.word();
        rest = after;
        match word.text.to_ascii_lowercase().as_str() {
            "by" => {
                let by = choices::from_word(&AUTHORITIES, &value.text.to_ascii_lowercase());
                ruling.by = by.ok_or_else(|| value.error("director, jury, table or auto"))?;
            }
            "effect" => {
                let kind = choices::from_word(&EFFECTS, &value.text.to_ascii_lowercase());
                let kind = kind.ok_or_else(|| value.error("an effect such as raise_minimum or redeal"))?;
                (ruling.effect, rest) = effect(kind, after, names)?;
            }
            "reverses" => ruling.reverses = Some(number(value)?),
            "id" => ruling.id = number(value)?,
            "signature" => ruling.signature = Some(value.hex()?),
            _ => return Err(word.error("by, effect, reverses, id, signature or reason")),
        }
    }
    Ok(Action::Ruling(Box::new(ruling)))
}

/// Parses the fields of an effect. Returns the effect and the rest.
fn effect<'a>(kind: EffectKind, rest: Span<'a>, names: Names<'_>) -> Read<(Effect, Span<'a>)> {
    let mut effect = Effect::of(kind);
    let (word, after) = names.word(rest);
    let (seat, side) = (|| names.seat(word), || names.side(word));
    let rest = match kind {
        EffectKind::RaiseMinimum => {
            effect.by = Some(signed(word)?);
            after
        }
        EffectKind::PenaltyCards => {
            effect.seat = Some(seat()?);
            let mut rest = after;
            loop {
                let (word, after) = rest.word();
                if word.is_empty()
                    || ["by", "reverses", "id", "signature", "reason"].iter().any(|next| word.is(next))
                {
                    break rest;
                }
                effect.cards.extend(word.card_list::<CardList>()?);
                rest = after;
            }
        }
        EffectKind::ForfeitPile => {
            effect.seat = Some(seat()?);
            let (turns, after_turns) = after.word();
            match crate::notation::number(turns.text) {
                Some(until) => {
                    effect.until = Some(until);
                    after_turns
                }
                None => after,
            }
        }
        EffectKind::Restore => {
            let seq = word.text.parse().map_err(|_| word.error("the number of an action"))?;
            effect.to_seq = Some(seq);
            after
        }
        EffectKind::RevokeTalon => {
            effect.side = Some(side()?);
            after
        }
        EffectKind::Forfeit => {
            effect.side = Some(side()?);
            let (award, after_award) = after.word();
            match award.text.parse() {
                Ok(points) => {
                    effect.award = Some(points);
                    after_award
                }
                Err(_) => after,
            }
        }
        EffectKind::Stand => stand(&mut effect, rest, names)?,
        EffectKind::Adjust => {
            let mut rest = rest;
            while let Ok(points) = signed(rest.word().0) {
                effect.points.push(points);
                rest = rest.word().1;
            }
            rest
        }
        _ => rest,
    };
    Ok((effect, rest))
}

/// Parses `["action"] [position "..." | masked HEX]`: the action that is allowed to stand, and the position
/// from which play goes on. Returns the rest.
fn stand<'a>(effect: &mut Effect, rest: Span<'a>, names: Names<'_>) -> Read<Span<'a>> {
    let mut rest = rest.trim();
    if rest.text.starts_with('"') {
        let (action, after) = unquote(rest)?;
        let inner = Span { text: &action, at: rest.at + 1, suits: None };
        if inner.word().0.is("ruling") {
            return Err(inner.error("an action that is no ruling"));
        }
        effect.action = Some(Box::new(super::action(inner.trim(), names)?));
        rest = after;
    }
    let (word, after) = rest.word();
    if word.is("position") {
        let (position, after) = unquote(after)?;
        effect.position = Some(position.into_bytes());
        return Ok(after);
    }
    if word.is("masked") {
        let (masked, after) = after.word();
        (effect.position, effect.masked) = (Some(masked.hex_bytes()?), true);
        return Ok(after);
    }
    Ok(rest)
}

/// Appends everything after the verb. Returns `None` if the effect lacks a field that its kind needs.
pub fn write(ruling: &Ruling, names: Names<'_>, out: &mut String) -> Option<()> {
    let effect = &ruling.effect;
    out.push(' ');
    let one_word = ruling.rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte));
    if one_word && !ruling.rule.is_empty() {
        out.push_str(&ruling.rule);
    } else {
        quote(&ruling.rule, out);
    }
    write!(out, " {} {}", ruling.points, names.side_name(ruling.side)).ok()?;
    if let Some(seat) = ruling.offender {
        write!(out, " {}", names.seat_name(seat)).ok()?;
    }
    if ruling.by != Authority::Director {
        write!(out, " by {}", choices::word(&AUTHORITIES, ruling.by)).ok()?;
    }
    if effect.kind != EffectKind::None {
        write!(out, " effect {}", choices::word(&EFFECTS, effect.kind)).ok()?;
        write_effect(effect, names, out)?;
    }
    if let Some(id) = ruling.reverses {
        write!(out, " reverses {id}").ok()?;
    }
    if ruling.id != 0 {
        write!(out, " id {}", ruling.id).ok()?;
    }
    if let Some(signature) = &ruling.signature {
        put_hex("signature", signature, out);
    }
    if !ruling.reason.is_empty() {
        out.push_str(" reason ");
        quote(&ruling.reason, out);
    }
    Some(())
}

fn write_effect(effect: &Effect, names: Names<'_>, out: &mut String) -> Option<()> {
    match effect.kind {
        EffectKind::RaiseMinimum => write!(out, " {}", effect.by?).ok()?,
        EffectKind::PenaltyCards => {
            write!(out, " {}", names.seat_name(effect.seat?)).ok()?;
            write_list(&effect.cards, out);
        }
        EffectKind::ForfeitPile => {
            write!(out, " {}", names.seat_name(effect.seat?)).ok()?;
            if let Some(until) = effect.until {
                write!(out, " {until}").ok()?;
            }
        }
        EffectKind::Adjust => effect.points.iter().try_for_each(|points| write!(out, " {points}")).ok()?,
        EffectKind::Restore => write!(out, " {}", effect.to_seq?).ok()?,
        EffectKind::RevokeTalon => write!(out, " {}", names.side_name(effect.side?)).ok()?,
        EffectKind::Forfeit => {
            write!(out, " {}", names.side_name(effect.side?)).ok()?;
            if let Some(award) = effect.award {
                write!(out, " {award}").ok()?;
            }
        }
        EffectKind::Stand => {
            if let Some(action) = &effect.action {
                let mut line = String::new();
                write_action(action, names, &mut line)?;
                out.push(' ');
                quote(&line, out);
            }
            match &effect.position {
                Some(bytes) if effect.masked => put_hex("masked", bytes, out),
                Some(bytes) => {
                    out.push_str(" position ");
                    quote(core::str::from_utf8(bytes).ok()?, out);
                }
                None => {}
            }
        }
        _ => {}
    }
    Some(())
}
