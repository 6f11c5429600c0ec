//! The choice of the dealer and its records: the audit finds an honest game clean, however the dealer is chosen.

use crate::support::{CATALOGUE, chained, records};
use canasta_engine::action::{Action, As, CardList, Deal};
use canasta_engine::archive;
use canasta_engine::card::Card;
use canasta_engine::deal::{self, Commitment, Context, DealId, GameSecret, simulate};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{Game, NewDeal, NewGame, RegisterEntry, Stamp};
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{Player, Record};
use canasta_engine::rules::{FirstDealer, NextDealer, PresetId, Rules, SideChoice};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token;
use canasta_engine::violations::Fact;
use std::sync::Arc;

const SIDES: [SideChoice; 2] = [SideChoice::Given, SideChoice::DrawnCards];
const FIRST: [FirstDealer; 4] =
    [FirstDealer::Random, FirstDealer::Given, FirstDealer::HighCardDeals, FirstDealer::HighCardLeads];
const NEXT: [NextDealer; 4] =
    [NextDealer::Left, NextDealer::LoserLeads, NextDealer::WinnerLeads, NextDealer::Random];

/// The source of the cards, and the author of the registers.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    Seeded,
    ByTable,
    Committed,
    Explicit,
}

/// A game of Samba over two rounds, by this way of choosing sides and dealers.
struct Played {
    mode: Mode,
    secret: GameSecret,
    state: Game,
    log: Vec<u8>,
    random: u64,
}

fn rules(sides: SideChoice, first: FirstDealer, next: NextDealer) -> Arc<Rules> {
    let base = PresetId::from_name("samba-4p").expect("a preset");
    let mut set = base.rule_set();
    (set.side_choice, set.first_dealer, set.next_dealer, set.rounds) = (sides, first, next, 2);
    if sides == SideChoice::Given && matches!(first, FirstDealer::Random | FirstDealer::Given) {
        set.draw_ranking = canasta_engine::rules::RuleSet::defaults().draw_ranking;
    }
    Arc::new(Rules::house(base, set, None).expect("a rule set that is played"))
}

impl Played {
    /// Creates a game. `dealer` deals first if the rules leave the choice to somebody.
    fn new(rules: &Arc<Rules>, mode: Mode, dealer: Seat, number: u32) -> Self {
        let secret = simulate::game_secret(23, number);
        let wall = || wall(rules, &secret, 1);
        let by_hand = mode == Mode::Explicit;
        let deal = match mode {
            Mode::Seeded | Mode::ByTable => NewDeal::Seeded(secret.clone()),
            Mode::Committed => NewDeal::Committed(secret.clone()),
            Mode::Explicit => NewDeal::Explicit { wall: wall(), salt: simulate::salt(&secret, 1, 1) },
        };
        let chosen = match rules.set().first_dealer {
            FirstDealer::Given => true,
            FirstDealer::Random => by_hand,
            _ => false,
        };
        let created = Game::create(NewGame {
            rules: rules.clone(),
            game_id: simulate::game_id(&secret),
            deal,
            dealer: chosen.then_some(dealer),
            players: (0..4).map(|seat| Player { name: format!("Player {seat}"), key: None }).collect(),
            registration: if mode == Mode::Seeded { Registration::Auto } else { Registration::ByTable },
            started_at_ms: None,
            expires_at: None,
            fork_of: None,
            director: None,
            position: None,
            penalties: None,
        })
        .expect("a game");
        Self { mode, secret, state: created.game, log: created.frames, random: number.into() }
    }

    /// Continues with the state that a token brings back.
    fn reload(&mut self) {
        self.state = token::decode(&token::encode(&self.state), &CATALOGUE).expect("a token");
    }

    fn act(&mut self, actor: As, action: &Action) {
        let acted = self.state.act(actor, action, Stamp::default());
        self.log.extend(acted.unwrap_or_else(|error| panic!("{action:?}: {error}")).frames);
        self.reload();
    }

    /// Opens and closes a dispute, as officials may in every gap between two rounds.
    fn dispute(&mut self) {
        self.act(As::Seat(Seat(1)), &Action::Dispute { open: true, reason: String::from("who deals?") });
        self.act(As::Director, &Action::Dispute { open: false, reason: String::new() });
    }

    fn register(&mut self) {
        let (round, first) = (self.state.table.round_number(), self.state.table.attempt() == 1);
        let mut entry = RegisterEntry::default();
        if self.mode == Mode::Explicit && round > 1 {
            let wall = wall(self.state.table.rules(), &self.secret, round.into());
            entry.wall = Some((wall, simulate::salt(&self.secret, round.into(), 1)));
            let open = self.state.table.set().next_dealer == NextDealer::Random;
            entry.dealer = open.then_some(Seat((self.random % 4) as u8));
        }
        if self.mode == Mode::Committed && round > 0 && first {
            entry.seats = vec![Some([7; 32]), None, None, None];
        }
        self.log.extend(self.state.register(As::Table, entry).expect("a register is due"));
    }

    fn play(mut self) -> Vec<u8> {
        while self.state.table.phase() != Phase::GameOver {
            self.reload();
            match self.state.table.phase() {
                Phase::Setup => {
                    self.dispute();
                    self.register();
                    self.dispute();
                }
                // The seat that registered a value withholds it, so the deal is void and registered again.
                Phase::Deal if self.state.table.round_number() == 0 => {
                    let by_hand = self.mode == Mode::Explicit;
                    let picks = if by_hand { picks(&self.state, &self.secret) } else { Vec::new() };
                    self.act(As::Table, &Action::DrawCards(picks));
                }
                Phase::Deal => self.act(As::Table, &Action::Deal(Box::<Deal>::default())),
                _ => {
                    let steps = legal::steps(&self.state.table);
                    self.random =
                        self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let action = &steps.actions[(self.random >> 33) as usize % steps.actions.len()];
                    let actor = self.state.table.to_act().map_or(As::Table, As::Seat);
                    self.act(actor, action);
                }
            }
        }
        self.log
    }
}

/// Returns the wall that a seeded game deals.
fn wall(rules: &Rules, secret: &GameSecret, round: u32) -> Vec<Card> {
    let (id, secret) = (DealId::new(simulate::game_id(secret), round, 1), secret.round(round, 1));
    let commitment = Commitment::dealer(&id, &secret);
    let context = Context::seeded(&id, rules.digest_text(), rules.deck_size(), commitment).expect("a deal");
    deal::wall(&secret, &context, rules.set().packs, rules.set().jokers).expect("a wall")
}

/// Returns the cards that players pick by hand until the draw is decided.
fn picks(state: &Game, secret: &GameSecret) -> Vec<CardList> {
    let mut wall = wall(state.table.rules(), secret, 0).into_iter();
    let mut picks: Vec<CardList> = vec![CardList::new(); 4];
    let mut due: Vec<Seat> = (0..4).map(Seat).collect();
    loop {
        due.iter().for_each(|seat| picks[seat.index()].extend(wall.next()));
        let refused = match state.check(As::Table, &Action::DrawCards(picks.clone())) {
            Ok(_) => return picks,
            Err(refused) => refused,
        };
        match refused.violations[0].get("seats") {
            Some(Fact::Seats(tied)) => due = tied.clone(),
            _ => panic!("{refused}"),
        }
    }
}

/// Checks that an honest log is clean, as a whole and after each of its first records, and that notation and archive
/// give it back.
fn honest(log: &[u8], name: &str) -> Report {
    let report = audit(log, Expect::default());
    assert_eq!(report.findings, [], "{name}");
    assert_eq!(report.verdict, Verdict::Clean, "{name}");
    let records = records(log);
    for until in (1..records.len()).take(12) {
        let report = audit(&chained(&records[..until]), Expect { live: true, ..Expect::default() });
        assert_eq!(report.findings, [], "{name}, {until} records");
    }
    let text = canasta_engine::text::to_text(&records).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    assert_eq!(canasta_engine::text::from_text(&text).as_deref(), Ok(&records[..]), "{name}: {text}");
    let packed = archive::pack(&[log]);
    assert_eq!(archive::unpack(&packed.body, &packed.sizes), Ok(vec![log.to_vec()]), "{name}");
    report
}

#[test]
fn whoever_deals_an_honest_game_is_clean() {
    let mut number = 0;
    for (sides, first) in SIDES.iter().flat_map(|sides| FIRST.map(|first| (*sides, first))) {
        for next in NEXT {
            let rules = rules(sides, first, next);
            for mode in [Mode::Seeded, Mode::ByTable, Mode::Committed, Mode::Explicit] {
                number += 1;
                let dealer = Seat((number % 4) as u8);
                let log = Played::new(&rules, mode, dealer, number).play();
                honest(&log, &format!("{sides:?} {first:?} {next:?} {mode:?} {dealer}"));
            }
        }
    }
}

/// Checks that the dealer of round 1 is the one that the register of round 0 names, and that the audit finds any
/// other dealer.
#[test]
fn a_dealer_who_is_named_before_the_draw_deals_after_it() {
    let rules = rules(SideChoice::DrawnCards, FirstDealer::Given, NextDealer::Left);
    let log = Played::new(&rules, Mode::Seeded, Seat(2), 1).play();
    let mut records = records(&log);
    let mut dealers = records.iter_mut().filter_map(|record| match record {
        Record::Register(register) => Some(&mut register.dealer),
        _ => None,
    });
    let (before, after) = (dealers.next().expect("round 0"), dealers.next().expect("round 1"));
    assert_eq!((*before, *after), (Some(Seat(2)), Some(Seat(2))));
    *after = Some(Seat(3));
    let report = audit(&chained(&records), Expect::default());
    assert!(report.findings.iter().any(|finding| finding.kind == FindingKind::Register));
}
