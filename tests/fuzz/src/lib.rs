//! Positions and actions made from arbitrary bytes.

use arbitrary::{Result, Unstructured};
use canasta_engine::action::{
    About, Action, As, Authority, CardList, Deal, Effect, EffectKind, Group, Groups, MeldId, MeldKind, NamedWay,
    Onto, Ruling, SpecialHand, TakePile,
};
use canasta_engine::card::{Card, KINDS};
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rules::PresetId;
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::Phase;
use canasta_engine::token::Catalogue;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);

/// Returns a position of a random game; the bytes choose the game and the number of random steps.
pub fn position(bytes: &mut Unstructured) -> Result<Game> {
    let played: Vec<_> = PresetId::all().filter_map(|preset| CATALOGUE.get(preset)).collect();
    let rules = *bytes.choose(&played)?;
    let secret = simulate::game_secret(1, u32::from(bytes.arbitrary::<u8>()?));
    let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
    let mut state = Game::new(rules.clone(), dealing, Seat(0));
    let mut random = u64::from(bytes.arbitrary::<u8>()?);
    for _ in 0..bytes.int_in_range(0..=250)? {
        match state.table.phase() {
            Phase::Setup => state.register_due(),
            Phase::RoundOver => drop(scoring::book(&mut state.table)),
            Phase::GameOver => break,
            _ => {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let steps = legal::steps(&state.table).actions;
                let action = &steps[(random >> 33) as usize % steps.len()];
                let actor = state.table.to_act().map_or(As::Table, As::Seat);
                state.play(actor, action).expect("steps are legal");
            }
        }
    }
    Ok(state)
}

/// Returns an actor, mostly the one that must act.
pub fn actor(bytes: &mut Unstructured, state: &Game) -> Result<As> {
    Ok(match bytes.arbitrary::<u8>()? % 16 {
        0 => As::Table,
        1 => As::Judge,
        2 => As::Director,
        3..6 => As::Seat(Seat(bytes.arbitrary()?)),
        _ => state.table.to_act().map_or(As::Table, As::Seat),
    })
}

/// Returns any action that can be proposed; cards are often from the hand of the seat in turn.
pub fn action(bytes: &mut Unstructured, state: &Game) -> Result<Action> {
    Ok(match bytes.arbitrary::<u8>()? % 32 {
        0 => Action::Deal(Deal { lifted: bytes.arbitrary()?, ..Deal::default() }.into()),
        1 => Action::DrawCards(vec![cards(bytes, state)?; usize::from(bytes.arbitrary::<u8>()? % 8)]),
        2 => Action::TakeTop,
        3 => Action::RestorePile,
        4 => Action::LayThrees(cards(bytes, state)?),
        5 => Action::TakeTalon,
        6 => Action::MergeMelds { a: MeldId(bytes.arbitrary()?), b: MeldId(bytes.arbitrary()?) },
        7 => Action::UndoMeld { meld: MeldId(bytes.arbitrary()?), cards: cards(bytes, state)? },
        8 => Action::Ask {
            about: *bytes.choose(&[About::GoOut, About::GoOut, About::Courtesy])?,
            to: bytes.arbitrary::<Option<u8>>()?.map(Seat),
            with: match bytes.arbitrary::<bool>()? {
                false => None,
                true => Some(NamedWay { groups: groups(bytes, state)?, discard: Some(card(bytes, state)?) }.into()),
            },
        },
        9 => Action::Answer { yes: bytes.arbitrary()? },
        10 => Action::SpecialHand(*bytes.choose(&[SpecialHand::Straight, SpecialHand::Pairs])?),
        11 => Action::Pass,
        12 => Action::EndRound,
        13 => Action::CallReveal { of: Seat(bytes.arbitrary()?) },
        14 => Action::Ruling(ruling(bytes, state)?.into()),
        15 => Action::Dispute { open: bytes.arbitrary()?, reason: bytes.arbitrary()? },
        16 => Action::Sign { side: Side(bytes.arbitrary()?) },
        17..20 => Action::DrawStock,
        20..24 => Action::TakePile(TakePile {
            with: cards(bytes, state)?,
            onto: onto(bytes)?,
            also: groups(bytes, state)?,
        }),
        24..29 => Action::Meld(groups(bytes, state)?),
        _ => Action::Discard(card(bytes, state)?),
    })
}

fn card(bytes: &mut Unstructured, state: &Game) -> Result<Card> {
    let hand: Vec<Card> = state.table.hand(state.table.turn_seat()).iter().collect();
    let byte = bytes.arbitrary::<u8>()?;
    if byte >= 64 && !hand.is_empty() {
        return Ok(hand[usize::from(byte) % hand.len()]);
    }
    Ok(Card::from_kind(byte % KINDS as u8).expect("a kind is below 53"))
}

fn cards(bytes: &mut Unstructured, state: &Game) -> Result<CardList> {
    let count = bytes.arbitrary::<u8>()?;
    let count = if count >= 250 { count } else { count % 8 };
    (0..count).map(|_| card(bytes, state)).collect()
}

fn onto(bytes: &mut Unstructured) -> Result<Onto> {
    Ok(match bytes.arbitrary::<u8>()? % 4 {
        0 => Onto::New,
        1 => Onto::Meld { side: bytes.arbitrary::<Option<u8>>()?.map(Side), id: MeldId(bytes.arbitrary()?) },
        _ => Onto::Auto,
    })
}

fn groups(bytes: &mut Unstructured, state: &Game) -> Result<Groups> {
    use MeldKind::{BlackThrees, Sequence, Set, Wild};
    let count = bytes.arbitrary::<u8>()? % 5;
    let group = |_| {
        Ok(Group {
            kind: *bytes.choose(&[Set, Set, Set, Wild, BlackThrees, Sequence])?,
            onto: onto(bytes)?,
            top: bytes.ratio(1, 16)?,
            cards: cards(bytes, state)?,
        })
    };
    (0..count).map(group).collect()
}

fn ruling(bytes: &mut Unstructured, state: &Game) -> Result<Ruling> {
    use EffectKind::{Adjust, Redeal, Stand, Warning};
    Ok(Ruling {
        id: bytes.arbitrary()?,
        by: *bytes.choose(&[Authority::Director, Authority::Jury, Authority::Table, Authority::Auto])?,
        offender: bytes.arbitrary::<Option<u8>>()?.map(Seat),
        side: Side(bytes.arbitrary()?),
        rule: bytes.arbitrary()?,
        points: bytes.arbitrary()?,
        effect: Effect {
            kind: *bytes.choose(&[EffectKind::None, Warning, Stand, Redeal, Adjust])?,
            by: bytes.arbitrary()?,
            seat: bytes.arbitrary::<Option<u8>>()?.map(Seat),
            cards: cards(bytes, state)?,
            until: bytes.arbitrary()?,
            side: bytes.arbitrary::<Option<u8>>()?.map(Side),
            award: bytes.arbitrary()?,
            to_seq: bytes.arbitrary()?,
            action: None,
            position: bytes.arbitrary()?,
            masked: bytes.arbitrary()?,
            points: bytes.arbitrary()?,
        },
        reason: bytes.arbitrary()?,
        reverses: bytes.arbitrary()?,
        signature: bytes.arbitrary()?,
    })
}
