//! Committed and explicit deals: contributions, beacons, void deals, given walls, and the findings of an audit.
//! Expected values follow from docs/DEALING.md, or are computed with `canasta_engine::deal`, which is tested against
//! vectors of a second implementation.

use crate::support::{CATALOGUE, chained, comes_back, records};
use canasta_engine::action::{About, Action, As, CardList, Deal};
use canasta_engine::card::Card;
use canasta_engine::deal::{
    self, Commitment, Context, Contribution, DealId, WallSalt, beacon_value, simulate,
};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{ActError, Acted, Game, NewDeal, NewGame, RegisterEntry, RegisterError, Stamp};
use canasta_engine::invariant;
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{Beacon, Record, Reveal};
use canasta_engine::rejection::Field;
use canasta_engine::rules::{Ask, AskCheck, AskWhom, PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{EndReason, Phase};
use canasta_engine::token;
use canasta_engine::violations::Code;
use std::sync::Arc;

struct Played {
    state: Game,
    log: Vec<u8>,
    random: u64,
}

/// Returns the value V_k that a seat contributes in these tests.
fn value(round: u16, attempt: u8, seat: u8) -> [u8; 32] {
    let mut value = [seat + 1; 32];
    value[..3].copy_from_slice(&[round as u8, attempt, 0xa5]);
    value
}

const BEACON: Beacon = Beacon { chain: [9; 32], round: 77, close_ms: 1_767_225_600_000 };

impl Played {
    fn new(rules: Rules, number: u32, deal: impl FnOnce(deal::GameSecret) -> NewDeal) -> Self {
        Self::created(rules, number, deal, Registration::ByTable)
    }

    fn created(
        rules: Rules,
        number: u32,
        deal: impl FnOnce(deal::GameSecret) -> NewDeal,
        registration: Registration,
    ) -> Self {
        let secret = simulate::game_secret(11, number);
        let deal = deal(secret.clone());
        let new = NewGame::new(Arc::new(rules), simulate::game_id(&secret), deal);
        let created = Game::create(NewGame { registration, ..new }).expect("a game");
        let game = Self { state: created.game, log: created.frames, random: number.into() };
        game.hold();
        game
    }

    /// Checks what every state must have: valid zones and facts, and a token that gives the state again.
    fn hold(&self) {
        invariant::check_all(&self.state.table).expect("a state");
        let bytes = token::encode(&self.state);
        assert!(bytes.len() <= token::max_len(&self.state));
        assert_eq!(token::decode(&bytes, &CATALOGUE).as_ref(), Ok(&self.state));
    }

    fn register(&mut self, entry: RegisterEntry) {
        let frames = self.state.register(As::Table, entry).expect("a register is due");
        self.log.extend(frames);
        self.hold();
    }

    /// Registers V_k of these seats.
    fn commit(&mut self, seats: &[u8], beacon: Option<Beacon>) {
        let id = self.state.dealing.deal_id(&self.state.table);
        let (round, attempt) = self.deal_number();
        let mut commitments = vec![None; usize::from(self.state.table.set().seats)];
        for &seat in seats {
            let made = Commitment::seat(&id, Seat(seat), &value(round, attempt, seat));
            commitments[usize::from(seat)] = Some(made.0);
        }
        self.register(RegisterEntry { seats: commitments, beacon, ..RegisterEntry::default() });
    }

    fn deal_number(&self) -> (u16, u8) {
        let id = self.state.dealing.deal_id(&self.state.table);
        let mut parts = id.as_str().rsplit('/');
        let attempt = parts.next().expect("an attempt").parse().expect("a number");
        (self.state.table.round_number(), attempt)
    }

    /// Returns a deal in which these seats reveal their V_k.
    fn revealing(&self, seats: &[u8], signature: Option<&[u8]>) -> Action {
        let (round, attempt) = self.deal_number();
        let mut contributions = vec![None; usize::from(self.state.table.set().seats)];
        for &seat in seats {
            contributions[usize::from(seat)] = Some(value(round, attempt, seat));
        }
        let signature = signature.map(<[u8]>::to_vec);
        Action::Deal(Box::new(Deal { contributions, signature, ..Deal::default() }))
    }

    fn act(&mut self, actor: As, action: &Action) -> Acted {
        let acted = self
            .state
            .act(actor, action, Stamp::default())
            .unwrap_or_else(|error| panic!("{action:?}: {error:?}"));
        self.log.extend(&acted.frames);
        self.hold();
        acted
    }

    fn refused(&mut self, action: &Action) -> (Code, Field) {
        let before = self.state.clone();
        let Err(ActError::Rejected(rejection)) = self.state.act(As::Table, action, Stamp::default()) else {
            panic!("{action:?}")
        };
        assert_eq!(self.state, before);
        (rejection.code(), rejection.violations[0].field)
    }

    /// Plays the round to its end with any legal steps.
    fn play_round(&mut self) {
        while !matches!(self.state.table.phase(), Phase::Setup | Phase::GameOver | Phase::Deal) {
            let steps = legal::steps(&self.state.table);
            self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let action = &steps.actions[(self.random >> 33) as usize % steps.actions.len()];
            let actor = As::Seat(self.state.table.to_act().expect("a seat"));
            self.act(actor, action);
        }
    }

    fn audit(&self) -> Report {
        comes_back(&self.log);
        audit(&self.log, Expect::default())
    }

    fn audit_live(&self) -> Report {
        comes_back(&self.log);
        audit(&self.log, Expect { live: true, ..Expect::default() })
    }

    fn records(&self) -> Vec<Record> {
        records(&self.log)
    }

    /// Returns the log with `change` applied to every record, and with a new chain.
    fn rewritten(&self, change: impl Fn(&mut Record)) -> Vec<u8> {
        let mut records = self.records();
        records.iter_mut().for_each(change);
        chained(&records)
    }
}

fn preset(name: &str) -> Rules {
    Rules::preset(name).expect("a preset")
}

/// Returns rules of Classic for four; the game ends after the first round in which a total reaches 300.
fn short() -> Rules {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let mut set = base.rule_set();
    set.target = 300;
    Rules::house(base, set, Some("short")).expect("rules")
}

fn kinds(report: &Report) -> Vec<FindingKind> {
    report.findings.iter().map(|finding| finding.kind).collect()
}

fn wall_of(seed: u32, rules: &Rules) -> (Vec<Card>, WallSalt) {
    let secret = simulate::game_secret(12, seed);
    let id = DealId::from_text("a wall").expect("a text");
    let round = secret.round(1, 1);
    let (set, cards) = (rules.set(), rules.deck_size());
    let context = Context::seeded(&id, "none", cards, Commitment::dealer(&id, &round)).expect("a context");
    let wall = deal::wall(&round, &context, set.packs, set.jokers).expect("a wall");
    (wall, WallSalt([seed as u8; 32]))
}

#[test]
fn seats_and_a_beacon_decide_the_wall() {
    let mut game = Played::new(short(), 1, NewDeal::Committed);
    game.commit(&[0, 1, 3], Some(BEACON));
    let signature = [0x5a; 48];
    let id = game.state.dealing.deal_id(&game.state.table);
    let secret = simulate::game_secret(11, 1).round(1, 1);
    let dealt = game.act(As::Table, &game.revealing(&[0, 3], Some(&signature)));

    // The same wall with the dealing module alone: seat 1 kept back its value, which a beacon makes harmless.
    let commitment = |seat| Some(Commitment::seat(&id, Seat(seat), &value(1, 1, seat)));
    let seats = [
        Contribution { commitment: commitment(0), value: Some(value(1, 1, 0)) },
        Contribution { commitment: commitment(1), value: None },
        Contribution::default(),
        Contribution { commitment: commitment(3), value: Some(value(1, 1, 3)) },
    ];
    let digest = game.state.table.rules().digest_text();
    let dealer = Commitment::dealer(&id, &secret);
    let context = Context::committed(&id, digest, 108, dealer, &seats, Some(&beacon_value(&signature)))
        .expect("a context");
    assert_eq!(context.input_bits(), 512 + 2 * 256 + 256);
    let wall = deal::wall(&secret, &context, 2, 4).expect("a wall");
    // The first card goes to the leader, at the dealer's left.
    let leader = game.state.table.dealer().left(4);
    let canasta_engine::event::Event::Dealt { hands, .. } = &dealt.events[0] else { panic!("{dealt:?}") };
    let first: CardList = wall.iter().step_by(4).take(11).copied().collect();
    assert_eq!(hands[leader.index()], first);

    game.play_round();
    while game.state.table.phase() != Phase::GameOver {
        game.commit(&[], None);
        game.act(As::Table, &game.revealing(&[], None));
        game.play_round();
    }
    let report = game.audit();
    assert_eq!(report.findings, []);
    assert_eq!((report.verdict, report.voided), (Verdict::Clean, 0));
    let Some(Record::GameEnd(end)) = game.records().pop() else { panic!("a game end") };
    assert_eq!(end.secret, Some(simulate::game_secret(11, 1).0));
}

#[test]
fn a_seat_that_keeps_back_its_value_voids_the_deal() {
    let mut game = Played::new(short(), 2, NewDeal::Committed);
    let dealer = game.state.table.dealer();
    for attempt in 1..=3 {
        assert_eq!(game.deal_number(), (1, attempt));
        game.commit(&[0, 2], None);
        let acted = game.act(As::Table, &game.revealing(&[2], None));
        assert!(acted.events.is_empty() && acted.round.is_none() && acted.result.is_none());
        assert_eq!((game.state.table.phase(), game.state.table.dealer()), (Phase::Setup, dealer));
        let records = game.records();
        let [.., Record::Register(register), Record::Action(deal), Record::RoundEnd(end)] = &records[..]
        else {
            panic!("{records:?}")
        };
        // A void deal reveals its secret too.
        let secret = simulate::game_secret(11, 2).round(1, attempt.into());
        assert_eq!((end.reason, &end.reveal), (EndReason::Voided, &Reveal::Secret(secret.0)));
        assert_eq!((register.attempt, end.attempt), (attempt.into(), attempt.into()));
        assert_eq!(end.scores, []);
        assert!(matches!(&deal.action, Action::Deal(deal) if deal.contributions[2].is_some()));
    }
    game.commit(&[0, 2], None);
    game.act(As::Table, &game.revealing(&[0, 2], None));
    game.play_round();
    let report = game.audit_live();
    assert_eq!(report.findings, []);
    assert_eq!((report.voided, report.rounds), (3, 1));
}

#[test]
fn automatic_registers_have_no_contributions_and_follow_at_once() {
    let mut game = Played::created(short(), 3, NewDeal::Committed, Registration::Auto);
    while game.state.table.phase() != Phase::GameOver {
        assert_eq!(game.state.table.phase(), Phase::Deal);
        game.act(As::Table, &Action::Deal(Default::default()));
        game.play_round();
    }
    assert_eq!(game.audit().findings, []);
    // Another wall than the seeded game with the same secret and id: the context differs.
    let mut seeded = Played::created(short(), 3, NewDeal::Seeded, Registration::Auto);
    let mut committed = Played::created(short(), 3, NewDeal::Committed, Registration::Auto);
    let deal = Action::Deal(Default::default());
    assert_ne!(seeded.act(As::Table, &deal).events, committed.act(As::Table, &deal).events);
}

#[test]
fn what_does_not_fit_the_register_is_no_deal() {
    let mut game = Played::new(preset("classic-4p"), 4, NewDeal::Committed);
    game.commit(&[1], None);
    let unregistered = game.revealing(&[1, 2], None);
    assert_eq!(game.refused(&unregistered), (Code::SetupDeal, Field::Contribution(Seat(2))));
    let wrong = Action::Deal(Box::new(Deal { contributions: vec![None, Some([0; 32])], ..Deal::default() }));
    assert_eq!(game.refused(&wrong), (Code::SetupDeal, Field::Contribution(Seat(1))));
    let beyond = Deal { contributions: vec![None, None, None, None, None, Some([0; 32])], ..Deal::default() };
    let beyond = Action::Deal(Box::new(beyond));
    assert_eq!(game.refused(&beyond), (Code::SetupDeal, Field::Contribution(Seat(5))));
    let signed = game.revealing(&[1], Some(&[1; 48]));
    assert_eq!(game.refused(&signed), (Code::SetupDeal, Field::Signature));

    let mut game = Played::new(preset("classic-4p"), 4, NewDeal::Committed);
    game.commit(&[1], Some(BEACON));
    let unsigned = game.revealing(&[1], None);
    assert_eq!(game.refused(&unsigned), (Code::SetupDeal, Field::Signature));

    // Nobody contributes to a seeded deal.
    let mut game = Played::created(preset("classic-4p"), 4, NewDeal::Seeded, Registration::Auto);
    let contributed = game.revealing(&[1], None);
    assert_eq!(game.refused(&contributed), (Code::SetupDeal, Field::Contribution(Seat(1))));
}

#[test]
fn a_register_has_its_time_and_its_fields() {
    let rejected = |state: &mut Game, actor, entry: RegisterEntry| match state.register(actor, entry) {
        Err(RegisterError::Rejected(violations)) => violations[0].code.name(),
        Err(RegisterError::Field(error)) => error.field,
        Ok(_) => "taken",
    };
    let mut game = Played::new(preset("classic-4p"), 5, NewDeal::Committed);
    let deal = Action::Deal(Default::default());
    assert_eq!(game.refused(&deal).0, Code::SetupWrongTime, "a deal before its register");
    let state = &mut game.state;
    assert_eq!(rejected(state, As::Director, RegisterEntry::default()), "TURN_NOT_YOURS");
    let wall = RegisterEntry { wall: Some((vec![], WallSalt([0; 32]))), ..RegisterEntry::default() };
    assert_eq!(rejected(state, As::Table, wall), "register.wall");
    let five = RegisterEntry { seats: vec![None; 5], ..RegisterEntry::default() };
    assert_eq!(rejected(state, As::Table, five), "register.commitments");
    let unheld = RegisterEntry { signatures: vec![None, Some([1; 64])], ..RegisterEntry::default() };
    assert_eq!(rejected(state, As::Table, unheld), "register.signatures");
    let many = RegisterEntry { signatures: vec![None; 5], ..RegisterEntry::default() };
    assert_eq!(rejected(state, As::Table, many), "register.signatures");
    let late =
        RegisterEntry { beacon: Some(Beacon { close_ms: i64::MAX, ..BEACON }), ..RegisterEntry::default() };
    assert_eq!(rejected(state, As::Table, late), "register.beacon.close_ms");
    let other = RegisterEntry { dealer: Some(state.table.dealer().left(4)), ..RegisterEntry::default() };
    assert_eq!(rejected(state, As::Table, other), "SETUP_DEALER");
    game.commit(&[0], None);
    assert_eq!(
        rejected(&mut game.state, As::Table, RegisterEntry::default()),
        "SETUP_WRONG_TIME",
        "a second register"
    );

    let mut seeded = Played::new(preset("classic-4p"), 5, NewDeal::Seeded);
    let commits = RegisterEntry { seats: vec![Some([1; 32])], ..RegisterEntry::default() };
    assert_eq!(rejected(&mut seeded.state, As::Table, commits.clone()), "register.commitments");
    let beacon = RegisterEntry { beacon: Some(BEACON), ..RegisterEntry::default() };
    assert_eq!(rejected(&mut seeded.state, As::Table, beacon), "register.beacon");

    // Round 0: draw_cards has no fields, so nobody could reveal.
    let mut drawn = Played::new(preset("gr-4p"), 5, NewDeal::Committed);
    assert_eq!(drawn.state.table.round_number(), 0);
    assert_eq!(rejected(&mut drawn.state, As::Table, commits), "register.commitments");
}

#[test]
fn the_dealer_is_drawn_in_committed_deals_as_in_seeded_ones_and_stays_through_void_deals() {
    let base = PresetId::from_name("hoyle-2p").expect("a preset");
    let mut set = base.rule_set();
    set.change("first_dealer", "\"random\"").expect("a knob");
    set.change("next_dealer", "\"random\"").expect("a knob");
    let rules = Rules::house(base, set, Some("drawn")).expect("rules");
    let mut seen = [0; 2];
    for number in 0..4 {
        let mut game = Played::new(rules.clone(), number, NewDeal::Committed);
        let secret = simulate::game_secret(11, number);
        let id = simulate::game_id(&secret);
        for round in 1..=3u16 {
            let drawn =
                deal::random_dealer(&secret.round(round.into(), 1), id, round.into(), 2).expect("a dealer");
            game.commit(&[0, 1], None);
            assert_eq!((game.state.table.round_number(), game.state.table.dealer()), (round, drawn));
            seen[drawn.index()] += 1;
            game.act(As::Table, &game.revealing(&[0], None));
            assert_eq!(game.state.table.dealer(), drawn);
            game.commit(&[0, 1], None);
            game.act(As::Table, &game.revealing(&[0, 1], None));
            game.play_round();
            if game.state.table.phase() == Phase::GameOver {
                break;
            }
        }
        let report = game.audit_live();
        assert_eq!(report.findings, []);
        let moved = game.rewritten(|record| {
            if let Record::Register(register) = record {
                register.dealer = register.dealer.map(|dealer| dealer.left(2));
            }
        });
        let report = audit(&moved, Expect { live: true, ..Expect::default() });
        assert!(kinds(&report).contains(&FindingKind::Register), "{:?}", report.findings);
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn explicit_walls_are_dealt_as_given_and_revealed_with_their_salt() {
    let rules = short();
    let (wall, salt) = wall_of(1, &rules);
    let mut game = Played::new(rules.clone(), 6, |_| NewDeal::Explicit { wall: wall.clone(), salt });
    game.register(RegisterEntry::default());
    let mut number = 1;
    loop {
        game.act(As::Table, &Action::Deal(Default::default()));
        game.play_round();
        if game.state.table.phase() == Phase::GameOver {
            break;
        }
        let missing = game.state.register(As::Table, RegisterEntry::default());
        assert!(matches!(missing, Err(RegisterError::Field(error)) if error.field == "register.wall"));
        number += 1;
        game.register(RegisterEntry { wall: Some(wall_of(number, &rules)), ..RegisterEntry::default() });
    }
    let report = game.audit();
    assert_eq!(report.findings, []);
    let reveals: Vec<_> = game
        .records()
        .into_iter()
        .filter_map(|record| match record {
            Record::RoundEnd(end) => Some(end.reveal),
            _ => None,
        })
        .collect();
    assert_eq!(reveals[0], Reveal::Wall { cards: wall, salt: [1; 32] });
    let Some(Record::GameEnd(end)) = game.records().pop() else { panic!("a game end") };
    assert_eq!(end.secret, None);

    // A wall that is kept back at the end of the round is found.
    let mut records = game.records();
    for record in &mut records {
        if let Record::RoundEnd(end) = record {
            end.reveal = Reveal::None;
        }
    }
    let kept_back = audit(&chained(&records), Expect::default());
    let is_told = kept_back.findings.iter().any(|finding| {
        finding.kind == FindingKind::Deal
            && finding.detail.contains("expected the reveal of the round's secret or wall")
    });
    assert!(is_told, "{:?}", kept_back.findings);

    // A salt used again is found, where there was a second round.
    if reveals.len() > 1 {
        let (wall, salt) = wall_of(1, &rules);
        let mut again =
            Played::new(rules.clone(), 6, |_| NewDeal::Explicit { wall: wall.clone(), salt: salt.clone() });
        again.register(RegisterEntry::default());
        again.act(As::Table, &Action::Deal(Default::default()));
        again.play_round();
        again
            .register(RegisterEntry { wall: Some((wall_of(2, &rules).0, salt)), ..RegisterEntry::default() });
        again.act(As::Table, &Action::Deal(Default::default()));
        again.play_round();
        assert!(kinds(&again.audit_live()).contains(&FindingKind::Commitment));
    }
}

/// Changes every kind of commitment and reveal in a committed game, one kind at a time.
#[test]
fn the_audit_finds_what_was_changed_afterwards() {
    let mut game = Played::new(short(), 7, NewDeal::Committed);
    game.commit(&[0, 1], None);
    game.act(As::Table, &game.revealing(&[0], None));
    while game.state.table.phase() != Phase::GameOver {
        game.commit(&[0, 1, 2], Some(BEACON));
        game.act(As::Table, &game.revealing(&[0, 2], Some(&[7; 48])));
        game.play_round();
    }
    assert_eq!(game.audit().findings, []);
    type Change = fn(&mut Record);
    let table: [(&str, Change, FindingKind); 9] = [
        (
            "C_G",
            |r| {
                if let Record::Genesis(g) = r {
                    g.commitment.as_mut().unwrap()[0] ^= 1;
                }
            },
            FindingKind::Commitment,
        ),
        (
            "no C_G",
            |r| {
                if let Record::Genesis(g) = r {
                    g.commitment = None;
                }
            },
            FindingKind::Commitment,
        ),
        (
            "C_d",
            |r| {
                if let Record::Register(g) = r {
                    g.commitment.as_mut().unwrap()[0] ^= 1;
                }
            },
            FindingKind::Commitment,
        ),
        (
            "C_k",
            |r| {
                if let Record::Register(g) = r {
                    g.seats[2] = Some([1; 32]);
                }
            },
            FindingKind::Commitment,
        ),
        (
            "beacon",
            |r| {
                if let Record::Register(g) = r {
                    g.beacon = None;
                }
            },
            FindingKind::Commitment,
        ),
        (
            "V_k",
            |r| {
                if let Record::Action(a) = r
                    && let Action::Deal(d) = &mut a.action
                    && let Some(Some(v)) = d.contributions.get_mut(0)
                {
                    v[31] ^= 1;
                }
            },
            FindingKind::Commitment,
        ),
        // Another signature is another wall: what was played does not fit it.
        (
            "signature",
            |r| {
                if let Record::Action(a) = r
                    && let Action::Deal(d) = &mut a.action
                    && let Some(s) = &mut d.signature
                {
                    s[0] ^= 1;
                }
            },
            FindingKind::Digest,
        ),
        (
            "S",
            |r| {
                if let Record::RoundEnd(e) = r
                    && let Reveal::Secret(s) = &mut e.reveal
                {
                    s[0] ^= 1;
                }
            },
            FindingKind::Commitment,
        ),
        (
            "G",
            |r| {
                if let Record::GameEnd(e) = r {
                    e.secret.as_mut().unwrap()[63] ^= 1;
                }
            },
            FindingKind::Commitment,
        ),
    ];
    for (what, change, expected) in table {
        let report = audit(&game.rewritten(change), Expect::default());
        assert!(kinds(&report).contains(&expected), "{what}: {:?}", report.findings);
        assert_eq!(report.verdict, Verdict::Altered, "{what}");
    }
}

/// Compares deal with register before anything is revealed.
#[test]
fn a_live_audit_holds_contributions_against_what_was_registered() {
    let mut game = Played::new(preset("classic-4p"), 8, NewDeal::Committed);
    game.commit(&[0, 1], None);
    game.act(As::Table, &game.revealing(&[0, 1], None));
    assert_eq!(game.audit_live().findings, []);
    let log = game.rewritten(|record| {
        if let Record::Register(register) = record {
            register.seats[1] = Some([3; 32]);
        }
    });
    let report = audit(&log, Expect { live: true, ..Expect::default() });
    assert_eq!(kinds(&report), [FindingKind::Commitment]);
    assert_eq!(report.findings[0].seat, Some(Seat(1)));
    let bare = game.rewritten(|record| {
        if let Record::Register(register) = record {
            register.commitment = None;
        }
    });
    let report = audit(&bare, Expect { live: true, ..Expect::default() });
    assert_eq!(kinds(&report), [FindingKind::Commitment]);
}

/// Returns a game in which the leader has drawn and asked, whether or not the leader can go out.
fn asked(base: &str, whom: AskWhom) -> Played {
    let base = PresetId::from_name(base).expect("a preset");
    let mut set = base.rule_set();
    (set.ask, set.ask_check, set.ask_whom) = (Ask::Advisory, AskCheck::None, whom);
    let rules = Rules::house(base, set, Some("asks")).expect("rules");
    let mut game = Played::created(rules, 8, NewDeal::Seeded, Registration::Auto);
    game.act(As::Table, &Action::Deal(Box::default()));
    let leader = As::Seat(game.state.table.turn_seat());
    game.act(leader, &Action::DrawStock);
    game.act(leader, &Action::Ask { about: About::GoOut, to: None, with: None });
    game
}

/// Checks that, while cards are concealed, only a seat that was asked answers (CL-086): a lone mate, or several seats
/// asked at once, each for itself and in any order (AMB-20, AMB-WH-04).
#[test]
fn a_live_audit_knows_who_may_answer() {
    let yes = Action::Answer { yes: true };
    let mut game = asked("classic-4p", AskWhom::Named);
    let mate = game.state.table.to_act().expect("the mate is asked");
    game.act(As::Seat(mate), &yes);
    assert_eq!(game.audit_live().findings, []);
    for other in game.state.table.seats().filter(|seat| *seat != mate) {
        let log = game.rewritten(|record| {
            if let Record::Action(record) = record
                && record.action == yes
            {
                record.actor = Some(other);
            }
        });
        let report = audit(&log, Expect { live: true, ..Expect::default() });
        assert_eq!(kinds(&report), [FindingKind::Order], "{other}");
        assert_eq!(report.findings[0].seat, Some(other));
    }
    for whom in [AskWhom::All, AskWhom::Any] {
        let mut game = asked("wahhi-6p", whom);
        let first = game.state.table.to_act().expect("a mate is asked");
        let second = game.state.table.mates(game.state.table.turn_seat()).find(|mate| *mate != first);
        game.act(As::Seat(second.expect("two mates")), &yes);
        if game.state.table.phase() == Phase::Asked {
            game.act(As::Seat(first), &yes);
        }
        assert_eq!(game.audit_live().findings, [], "{whom:?}");
    }
}
