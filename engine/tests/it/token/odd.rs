//! States that no game reaches soon, or that no game reaches at all: they are generated, validated and encoded.

use super::common::{Rng, played, round_trip, seeded};
use canasta_engine::action::{MeldId, MeldKind};
use canasta_engine::card::{CARDS_MAX, Card, Cards, Class, Rank};
use canasta_engine::deal::{RoundSecret, WallSalt};
use canasta_engine::dealing::{DealSource, Registration};
use canasta_engine::game::{Game, Link};
use canasta_engine::log::Length;
use canasta_engine::rules::{Rules, SideFormation};
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{EndReason, Meld, Permission, Phase, RoundOver, Setup, Source, Table};
use std::sync::Arc;

#[test]
fn odd_states_come_back() {
    let mut rng = Rng(21);
    // The generator knows all facts of these rule sets; states of other rule sets come from their games (`games`).
    for rules in played().iter().filter(|rules| is_plain(rules)) {
        let (mut longest, mut valid) = (0, 0);
        for _ in 0..400 {
            let setup = odd(rules, &mut rng);
            match setup.clone().into_table() {
                Ok(table) => {
                    valid += 1;
                    longest = longest.max(round_trip(&odd_game(table, &mut rng)));
                }
                // Chance need not find a seat that must be able to go out and is able to.
                Err(faults) if faults.iter().all(|fault| fault.expected.contains("go out")) => {}
                Err(faults) => panic!("{faults:?}: {setup:?}"),
            }
        }
        println!("{}: {valid} valid, at most {longest} bytes", rules.id());
        assert!(valid > 200, "too few are valid: {valid}");
    }
}

/// Whether the rule set is of the Classic family with fixed sides.
fn is_plain(rules: &Rules) -> bool {
    let base = rules.base().name();
    (base.starts_with("classic") || base.starts_with("miller"))
        && rules.set().side_formation == SideFormation::Fixed
}

/// Returns a random setup of `rules`, which is valid except perhaps for requirements of going out.
fn odd(rules: &Arc<Rules>, rng: &mut Rng) -> Setup {
    let (seats, sides) = (rules.set().seats, rules.set().side_count);
    let seat = |rng: &mut Rng| Seat(rng.below(seats.into()) as u8);
    let turn = seat(rng);
    let mut setup = Setup::new(rules.clone(), turn);
    let phases = Phase::ALL.map(|phase| if phase == Phase::Taking { Phase::Play } else { phase });
    setup.phase = phases[rng.below(phases.len())];
    setup.dealer = seat(rng);
    let wide = |rng: &mut Rng| rng.next() >> rng.below(64);
    setup.step = wide(rng);
    setup.scores = (0..sides).map(|_| rng.next() as i32 >> rng.below(32)).collect();
    (setup.round, setup.attempt) = ((wide(rng) as u16).max(1), wide(rng) as u16);

    let gathered = match setup.phase {
        Phase::Setup | Phase::Deal => true,
        Phase::GameOver => rng.chance(2),
        _ => false,
    };
    if !gathered {
        lay_out(&mut setup, rng);
    }
    setup.asked = (0..seats).map(Seat).filter(|_| rng.chance(2)).collect();
    let opened = |seat: &Seat| setup.melds.iter().any(|meld| meld.side == rules.set().side_of(*seat));
    setup.has_melded = (0..seats).map(Seat).filter(opened).filter(|_| rng.chance(2)).collect();
    setup.source = match setup.phase {
        Phase::Start => Source::None,
        Phase::Play | Phase::Asked => [Source::Stock, Source::Pile][rng.below(2)],
        _ => [Source::None, Source::Stock, Source::Pile][rng.below(3)],
    };
    setup.permission = match (setup.phase, rng.below(3)) {
        (Phase::Asked, _) => Permission::Pending { to: seat(rng) },
        (Phase::Start, _) | (_, 0) => Permission::None,
        (_, 1) => Permission::Yes,
        _ => Permission::No { by: seat(rng) },
    };
    let playing = matches!(setup.phase, Phase::Start | Phase::Play | Phase::Asked);
    if setup.phase == Phase::RoundOver || !playing && rng.chance(2) {
        // The draw for seats ends a round of its own, and a special hand names itself: `games` has both.
        let plain = |reason: &EndReason| !matches!(reason, EndReason::Drawn | EndReason::SpecialHand);
        let reasons: Vec<EndReason> = EndReason::ALL.into_iter().filter(plain).collect();
        let reason = reasons[rng.below(reasons.len())];
        let seat = (!rng.chance(3)).then(|| seat(rng));
        setup.over = Some(RoundOver { reason, seat, concealed: rng.chance(2) });
    }
    (setup.melded_since_draw, setup.touched_old) = (rng.chance(2), rng.chance(2));
    setup.melded_before = Some(rng.chance(2));
    setup.new_from = rng.chance(2).then(|| rng.next() as u8);
    setup
}

/// Returns a game at this table with random data.
fn odd_game(table: Table, rng: &mut Rng) -> Game {
    let seats = table.set().seats;
    let mut game = Game::of(table, seeded(3, rng.next() as u32));
    game.registration = [Registration::Auto, Registration::ByTable][rng.below(2)];
    game.expires_at = [None, Some(0), Some(-1), Some(i64::MAX), Some(i64::MIN)][rng.below(5)];
    game.link = Link { n: rng.next() >> rng.below(64), head: rng.bytes() };
    game.length = Length { records: rng.below(16_385) as u16, bytes: rng.below(1 << 20) as u32 };
    if rng.chance(4) {
        game.keys = (0..seats).map(|_| Some(rng.bytes())).collect();
        game.keys[rng.below(seats.into())] = None;
    }
    game.director = rng.chance(4).then(|| rng.bytes());
    game.penalties = rng.chance(4).then(|| (rng.next() as u16).max(1));
    match rng.below(4) {
        0 => {}
        1 => game.dealing.source = DealSource::Round(RoundSecret(rng.bytes())),
        2 => {
            let len = [0, 1, 54, 108, CARDS_MAX][rng.below(5)];
            let kind = |_| Card::from_kind(rng.below(53) as u8).expect("a kind");
            let wall = (0..len).map(kind).collect();
            game.dealing.source = DealSource::Wall { wall, salt: WallSalt(rng.bytes()) };
        }
        _ => game.dealing.source = DealSource::Unknown,
    }
    game
}

/// Puts every card of the pack into a zone: melds that their side could have, the other cards at random.
fn lay_out(setup: &mut Setup, rng: &mut Rng) {
    let rules = setup.rules.clone();
    let mut left: Vec<Card> = rules.census().iter().collect();
    for i in (1..left.len()).rev() {
        left.swap(i, rng.below(i + 1));
    }
    let gaps = rng.chance(3);
    for side in (0..rules.set().side_count).map(Side) {
        let mut id = 0;
        for _ in 0..rng.below(12) {
            if let Some((kind, rank, cards)) = meld(&rules, &mut left, rng) {
                id += if gaps { rng.below(9) as u8 } else { 0 };
                setup.melds.push(Meld { side, id: MeldId(id), kind, rank, cards });
                id += 1;
            }
        }
    }
    // The weights range from nearly all cards in stock and pile to nearly all cards in one hand.
    let weights = [rng.below(8), rng.below(8), rng.below(8)];
    let seats = setup.hands.len();
    for card in left {
        let red_three = card.class() == Class::RedThree;
        match rng.below(weights.iter().sum::<usize>() + 1) {
            at if at < weights[0] => setup.stock.push(card),
            at if at < weights[0] + weights[1] || red_three && rng.chance(2) => setup.pile.push(card),
            _ if red_three => setup.laid[rng.below(seats)].insert(card),
            at if at % 2 == 0 => setup.hands[rng.below(seats)].insert(card),
            _ => setup.hands[setup.turn.index()].insert(card),
        }
    }
    let turn = setup.turn.index();
    if setup.hands[turn].is_empty() {
        let at = setup.stock.iter().position(|card| card.class() != Class::RedThree);
        let card = match at {
            Some(at) => setup.stock.remove(at),
            None => {
                let at = setup.pile.iter().position(|card| card.class() != Class::RedThree);
                setup.pile.remove(at.expect("a card is left that may be held"))
            }
        };
        setup.hands[turn].insert(card);
    }
    setup.start_len = rng.below(setup.pile.len() + 1) as u16;
}

/// Takes a meld of a random kind out of `left`, if there are cards for it.
fn meld(rules: &Rules, left: &mut Vec<Card>, rng: &mut Rng) -> Option<(MeldKind, Option<Rank>, Cards)> {
    let set = rules.set();
    let mut take = |count: usize, fits: &dyn Fn(&Card) -> bool| {
        let mut cards = Vec::new();
        while cards.len() < count {
            let Some(at) = left.iter().position(fits) else { break };
            cards.push(left.swap_remove(at));
        }
        cards
    };
    let (kind, rank, cards) = match rng.below(8) {
        0 => (MeldKind::Wild, None, take(3 + rng.below(8), &|card| card.is_wild())),
        1 => (MeldKind::BlackThrees, None, take(3 + rng.below(4), &|card| card.class() == Class::BlackThree)),
        _ => {
            let rank = Rank::NATURAL[rng.below(11)];
            let wilds = [0, 0, 1, 3][rng.below(4)];
            let mut cards = take(2 + rng.below(12), &|card| card.rank() == rank);
            if cards.len() < usize::from(set.min_naturals) {
                left.extend(cards);
                return None;
            }
            cards.extend(take(wilds, &|card| card.is_wild()));
            (MeldKind::Set, Some(rank), cards)
        }
    };
    if cards.len() < usize::from(set.meld_min) {
        left.extend(cards);
        return None;
    }
    Some((kind, rank, cards.into_iter().collect()))
}
