//! Games in which officials rule, suspend play and sign: their tokens, and the findings of an audit of their logs.

mod fields;
mod masks;
mod taken_up;

use crate::support::{CATALOGUE, comes_back};
use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::game::{ActError, Acted, Game, NewDeal, NewGame, Stamp};
use canasta_engine::invariant;
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{ActionRecord, Author, Record, Remark};
use canasta_engine::log::{Chain, HEADER, Reader};
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rules::Rules;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{EndReason, Phase, Setup};
use canasta_engine::token;
use std::sync::Arc;

struct Played {
    state: Game,
    log: Vec<u8>,
    random: u64,
}

impl Played {
    fn new(number: u32) -> Self {
        let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
        let secret = simulate::game_secret(5, number);
        let new = NewGame::new(rules, simulate::game_id(&secret), NewDeal::Seeded(secret));
        let created = Game::create(new).expect("a game");
        let (state, log) = (created.game, created.frames);
        Self { state, log, random: number.into() }
    }

    fn act(&mut self, actor: As, action: &Action) -> Acted {
        self.restoring(None, actor, action)
    }

    fn restoring(&mut self, earlier: Option<&Game>, actor: As, action: &Action) -> Acted {
        let acted = self.state.act_resuming(earlier, actor, action, Stamp::default());
        let acted = acted.unwrap_or_else(|error| panic!("{action:?}: {error:?}"));
        self.log.extend(&acted.frames);
        self.hold();
        acted
    }

    /// Checks what every state must have: valid zones and facts, a token that gives the state again, and a text that
    /// keeps its rulings.
    fn hold(&self) {
        invariant::check_all(&self.state.table).expect("a state");
        let bytes = token::encode(&self.state);
        let most = token::max_len(&self.state);
        assert!(bytes.len() <= most, "{} bytes, at most {most}", bytes.len());
        let read = token::decode(&bytes, &CATALOGUE).expect("a token");
        assert_eq!(read, self.state);
        let text = Position::of(&self.state.table).to_string();
        let mut setup = Position::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}")).setup();
        assert_eq!(setup.rulings, Setup::of(&self.state.table).rulings, "{text}");
        setup.rulings = None;
    }

    /// Applies a line of notation, which names its actor.
    fn line(&mut self, text: &str) -> Acted {
        let proposal = Proposal::parse(text, self.state.table.set()).expect("a line of notation");
        let written = proposal.to_text(self.state.table.set());
        assert_eq!(written.as_deref(), Some(text));
        self.act(proposal.actor.expect("it is said who"), &proposal.action)
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            if self.state.table.phase() == Phase::GameOver {
                return;
            }
            let steps = legal::steps(&self.state.table);
            self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let action = &steps.actions[(self.random >> 33) as usize % steps.actions.len()];
            let actor = self.state.table.to_act().map_or(As::Table, As::Seat);
            self.act(actor, action);
        }
    }

    /// Plays to the start of another turn.
    fn turn(&mut self) {
        self.steps(1);
        while self.state.table.phase() != Phase::Start {
            self.steps(1);
        }
    }

    fn name(&self, seat: Seat) -> &'static str {
        ["N", "E", "S", "W"][seat.index()]
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["NS", "EW"][side.index()]
    }

    fn audit(&self) -> Report {
        comes_back(&self.log);
        audit(&self.log, Expect::default())
    }
}

/// Returns a ruling by which a broken action stands. Its position is the present one with the next card of the stock
/// in the hand of the seat in turn.
fn stand(game: &Played, broken: Action) -> Action {
    let mut setup = Setup::of(&game.state.table);
    let card = setup.stock.pop().expect("a card");
    setup.hands[setup.turn.index()].insert(card);
    setup.rulings = None;
    let position = Position::of(&setup.into_table().expect("a position")).to_string();
    let text = format!(
        "director: ruling IR-022 -100 {}",
        game.side_name(game.state.table.side_of(game.state.table.turn_seat()))
    );
    let proposal = Proposal::parse(&text, game.state.table.set()).expect("a ruling");
    let Action::Ruling(mut ruling) = proposal.action else { unreachable!("it is a ruling") };
    ruling.effect.kind = canasta_engine::action::EffectKind::Stand;
    ruling.effect.action = Some(Box::new(broken));
    ruling.effect.position = Some(position.into_bytes());
    Action::Ruling(ruling)
}

#[test]
fn rulings_of_every_effect_audit_clean() {
    for number in 0..6 {
        let mut game = Played::new(number);
        game.turn();
        let seat = game.state.table.turn_seat();
        let (name, side) = (game.name(seat), game.side_name(game.state.table.side_of(seat)));
        let card = game.state.table.hand(seat).iter().next().expect("a hand has cards");

        game.line(&format!("{name}: dispute open"));
        assert_eq!(legal::steps(&game.state.table).actions.len(), 1);
        game.line(&format!("director: ruling IR-074 0 {side} {name} by jury effect warning"));
        game.line(&format!("director: ruling IR-021 -100 {side} effect raise_minimum 10"));
        game.line("director: dispute close");
        game.line(&format!("director: ruling IR-030 0 {side} effect penalty_cards {name} {card}"));
        game.line(&format!("director: ruling IR-011 0 {side} effect forfeit_pile {name} 1"));
        assert_eq!(game.state.table.minimum(seat), 60);
        game.steps(30);
        let earlier = game.state.clone();
        game.steps(7);
        if game.state.table.round_number() == 1 && earlier.table.phase() != Phase::Asked {
            let seq = earlier.table.step();
            let text = format!("director: ruling IR-013 0 {side} effect restore {seq}");
            let action = Proposal::parse(&text, game.state.table.set()).expect("a ruling").action;
            game.restoring(Some(&earlier), As::Director, &action);
            assert_eq!(game.state.table.stock_len(), earlier.table.stock_len());
        }
        game.line(&format!("director: ruling house:phones -50 {side}"));
        game.turn();
        let broken = Action::Pass;
        let action = stand(&game, broken);
        game.act(As::Director, &action);

        let (round, dealer) = (game.state.table.round_number(), game.state.table.dealer());
        let acted = game.line("director: ruling IR-004 0 NS effect redeal");
        assert_eq!(game.state.table.round_over().map(|over| over.reason), Some(EndReason::Voided));
        assert!(acted.round.is_none() && game.state.table.phase() == Phase::Deal);
        assert_eq!((game.state.table.round_number(), game.state.table.dealer()), (round, dealer));
        game.line("director: ruling IR-072 0 EW effect stop_clock");
        game.line(&format!("director: ruling IR-021 100 {side} reverses 2"));

        while game.state.table.phase() != Phase::GameOver {
            game.steps(1);
        }
        game.line("director: ruling IR-033 -200 NS");
        let total = game.state.table.scores()[0];
        game.line("N: sign NS");
        game.line("director: sign EW");
        let last = game.state.table.rulings().last;
        game.line(&format!("director: ruling IR-070 200 NS effect adjust reverses {last}"));
        assert_eq!(game.state.table.scores()[0], total + 200);

        let report = game.audit();
        assert_eq!(report.findings, [], "game {number}");
        assert_eq!(report.verdict, Verdict::Ruled);
        assert_eq!(report.voided, 1);
        assert_eq!(
            report.totals,
            game.state.table.scores().iter().copied().map(i64::from).collect::<Vec<_>>()
        );
    }
}

/// Checks that the points of a ruling have a line of their own in the round's score (IR-108), and that the opponents
/// get none (IR-001).
#[test]
fn points_enter_with_the_round() {
    let mut game = Played::new(9);
    game.turn();
    game.line("director: ruling IR-033 -150 EW");
    assert_eq!(game.state.table.scores(), [0, 0]);
    let round = loop {
        let steps = legal::steps(&game.state.table);
        let actor = game.state.table.to_act().map_or(As::Table, As::Seat);
        // Discards come last: the shortest way to the end of the stock.
        let action = if game.state.table.phase() == Phase::Play {
            steps.actions.last()
        } else {
            steps.actions.first()
        };
        if let Some(round) = game.act(actor, action.expect("a step")).round {
            break round;
        }
    };
    let adjusted = |side: usize| {
        let line = round.accounts[side].lines.iter().find(|line| line.item.name() == "adjustments");
        line.map(|line| line.points)
    };
    assert_eq!([adjusted(0), adjusted(1)], [None, Some(-150)]);
}

/// Checks that a side that forfeits loses with any scores, and that the cards of the round count for nobody.
#[test]
fn a_forfeit_ends_the_game() {
    let mut game = Played::new(11);
    game.turn();
    game.steps(20);
    let before = game.state.table.scores().to_vec();
    let acted = game.line("director: ruling IR-033 0 NS effect forfeit NS 500");
    assert_eq!(acted.result.and_then(|result| result.winner).map(|unit| unit.0), Some(1));
    assert_eq!(game.state.table.scores(), [before[0], before[1] + 500]);
    let report = game.audit();
    assert_eq!((report.findings.len(), report.verdict), (0, Verdict::Ruled));
    // The ruling is reversed on appeal, so the sides are equal again.
    game.line("director: ruling IR-033 0 NS reverses 1");
    assert_eq!(game.state.table.scores(), before);
    let report = game.audit();
    assert_eq!(report.findings, []);
    assert_eq!(report.result.map(|result| result.winner), Some(None));
}

/// Returns the log with the payload of record `at` replaced, and with new heads from that record on.
fn with_record(log: &[u8], at: u64, record: &Record) -> Vec<u8> {
    let (mut reader, mut rest) = (Reader::new(), log);
    let (mut chain, mut out) = (Chain::START, HEADER.to_vec());
    while let Some(frame) = reader.next(&mut rest).expect("a log") {
        if frame.n == at {
            chain.append(&record.encode().expect("a record"), &mut out);
        } else {
            chain.append(frame.payload, &mut out);
        }
    }
    out
}

fn illegal(state: &Game) -> Record {
    Record::Action(Box::new(ActionRecord {
        actor: Some(state.table.turn_seat()),
        action: Action::Pass,
        elapsed_ms: None,
        cards: None,
        signature: None,
        digest: [0; 8],
    }))
}

/// Checks that an illegal action is not a finding if a ruling covers it, and that play then goes on from the ruling.
#[test]
fn a_ruling_covers_what_broke_the_rules() {
    for covered in [true, false] {
        for redeal in [true, false] {
            let mut game = Played::new(13);
            game.turn();
            game.steps(12);
            game.turn();
            // The illegal action replaces this note below, so that the other records keep their numbers.
            game.log.extend(game.state.remark(Remark::note(Author::Table, None, "")).expect("a note"));
            let (at, record) = (game.state.link.n, illegal(&game.state));
            if covered && redeal {
                game.line("director: ruling IR-004 0 NS effect redeal");
            } else if covered {
                let action = stand(&game, Action::Pass);
                game.act(As::Director, &action);
            }
            while game.state.table.phase() != Phase::GameOver {
                game.steps(1);
            }
            let report = audit(&with_record(&game.log, at, &record), Expect::default());
            if covered {
                assert_eq!(report.findings, [], "redeal {redeal}");
                assert_eq!(report.verdict, Verdict::Ruled);
                assert_eq!(report.conditional_from, None);
            } else {
                let kinds: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
                assert_eq!(kinds, [FindingKind::Illegal]);
                assert_eq!((report.findings[0].record, report.verdict), (at, Verdict::Illegal));
                assert_eq!(report.conditional_from, Some(2));
            }
        }
    }
}

/// Records refused rulings like other refusals.
#[test]
fn refused_rulings_are_judged() {
    let mut game = Played::new(17);
    game.turn();
    for (actor, text) in [
        (As::Director, "ruling IR-033 -103 NS"),
        (As::Table, "ruling IR-033 -100 NS"),
        (As::Seat(game.state.table.turn_seat()), "ruling IR-033 -100 NS"),
        (As::Director, "ruling IR-013 0 NS effect restore 3"),
    ] {
        let action = Proposal::parse(text, game.state.table.set()).expect("a ruling").action;
        let refused = game.state.check(actor, &action).expect_err("refused");
        let frames = game.state.refuse(actor, &action, &refused, Stamp::default());
        game.log.extend(frames.expect("a record"));
    }
    while game.state.table.phase() != Phase::GameOver {
        game.steps(1);
    }
    let report = game.audit();
    assert_eq!((report.findings, report.refusals), (vec![], 4));
}

/// Checks that a ruling that takes actions back frees no room in the log (IR-013): a full round takes no more actions
/// after the ruling.
#[test]
fn a_ruling_that_restores_makes_no_room_in_the_log() {
    let mut game = Played::new(0);
    game.turn();
    let earlier = game.state.clone();
    game.steps(2);
    let actor = game.state.table.to_act().expect("somebody is to act");
    let wrong = As::Seat(actor.left(4));
    let refused = game.state.check(wrong, &Action::DrawStock).expect_err("it is another seat's turn");
    while let Ok(frames) = game.state.refuse(wrong, &Action::DrawStock, &refused, Stamp::default()) {
        game.log.extend(frames);
    }
    let text = format!("director: ruling IR-013 0 NS effect restore {}", earlier.table.step());
    let ruling = Proposal::parse(&text, game.state.table.set()).expect("a ruling").action;
    game.restoring(Some(&earlier), As::Director, &ruling);
    let step = legal::steps(&game.state.table).actions.remove(0);
    let seat = As::Seat(game.state.table.to_act().expect("somebody is to act"));
    let acted = game.state.act(seat, &step, Stamp::default());
    assert_eq!(acted, Err(ActError::RoundTooLong));
    assert_eq!(audit(&game.log, Expect { live: true, ..Expect::default() }).findings, []);
}
