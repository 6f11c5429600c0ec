//! Checks of what a log reveals about its deals, record by record.

use super::report::{DealProof, DealReport, GivenValues, ProofStep, fails, holds, unchecked};
use crate::shared::text::{PlayerNames, hex, list};
use canasta_engine::action::{Action, Deal};
use canasta_engine::card::{Card, Cards};
use canasta_engine::deal::{
    self, Commitment, Context, Contribution, DealId, GameId, GameSecret, RoundSecret, WallSalt, beacon_value,
    random_dealer, stream,
};
use canasta_engine::log::record::{
    Beacon, DealMode, EndReason, GameEnd, Genesis, Register, Reveal, RoundEnd,
};
use canasta_engine::log::{Chain, Head, Record};
use canasta_engine::rules::{FirstDealer, NextDealer, Rules, SideChoice};
use canasta_engine::seat::Seat;
use canasta_engine::text::time;
use canasta_tournament::beacon::BeaconChain;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The last millisecond of the year 9999, since 1970: later times have no text form.
const LATEST_MS: i64 = 253_402_300_799_999;

pub(super) struct OpenDeal {
    pub register: Register,
    pub id: DealId,
    pub before: Head,
    pub deal: Option<Deal>,
}

/// A reader of a log that checks what the log reveals.
pub struct DealVerifier {
    pub(super) genesis: Genesis,
    pub(super) rules: Rules,
    names: PlayerNames,
    chains: Vec<BeaconChain>,
    open: Option<OpenDeal>,
    /// Round, attempt and secret of every reveal, to be compared with the game's secret.
    revealed: Vec<(u32, u32, RoundSecret)>,
    salts: Vec<[u8; 32]>,
    deals: Vec<DealProof>,
    voided: [u32; 2],
    /// Number of values that each seat kept back.
    kept_back: BTreeMap<Seat, u32>,
    game: Vec<ProofStep>,
    /// The values of the seats in every finished deal except the draw for seats.
    pub(super) given: Vec<GivenValues>,
    /// The chain of the records so far: signatures cover its heads.
    pub(super) chain: Chain,
}

impl DealVerifier {
    pub fn new(genesis: Genesis, rules: Rules, chains: Vec<BeaconChain>) -> Self {
        let names = PlayerNames::of(&genesis);
        let mut verifier = Self {
            genesis,
            rules,
            names,
            chains,
            open: None,
            revealed: Vec::new(),
            salts: Vec::new(),
            deals: Vec::new(),
            voided: [0; 2],
            kept_back: BTreeMap::new(),
            game: Vec::new(),
            given: Vec::new(),
            chain: Chain::START,
        };
        verifier.follow(&Record::Genesis(Box::new(verifier.genesis.clone())));
        verifier
    }

    pub fn read(&mut self, record: &Record) {
        let before = self.follow(record);
        match record {
            Record::Register(register) => {
                let id = DealId::new(self.game_id(), register.round, register.attempt);
                self.open = Some(OpenDeal { register: (**register).clone(), id, before, deal: None });
            }
            Record::Action(record) => {
                if let (Some(open), Action::Deal(deal)) = (&mut self.open, &record.action) {
                    open.deal = Some((**deal).clone());
                }
            }
            Record::RoundEnd(end) => {
                if let Some(open) = self.open.take() {
                    let proof = self.prove(&open, end);
                    self.deals.push(proof);
                }
            }
            Record::GameEnd(end) => self.game_end(end),
            _ => {}
        }
    }

    fn game_id(&self) -> GameId {
        GameId(self.genesis.game_id)
    }

    fn prove(&mut self, open: &OpenDeal, end: &RoundEnd) -> DealProof {
        let Register { round, attempt, .. } = open.register;
        let silent = self.is_silent(open);
        let is_void = end.reason == EndReason::Voided;
        if round > 0 {
            let values = open.deal.as_ref().map(|deal| deal.contributions.clone()).unwrap_or_default();
            self.given.push(GivenValues { number: (round, attempt), is_void, values });
        }
        if is_void {
            self.voided[usize::from(!silent)] += 1;
        }
        let given = self.contributions(open);
        for (seat, _) in (0..).map(Seat).zip(&given).filter(|(_, seat)| open.deal.is_some() && is_back(seat))
        {
            *self.kept_back.entry(seat).or_default() += 1;
        }
        let mut proof = DealProof {
            title: format!("round {round} attempt {attempt}{}", if is_void { ", voided" } else { "" }),
            steps: Vec::new(),
            wall: Vec::new(),
        };
        match &end.reveal {
            Reveal::Secret(secret) => self.prove_secret(open, &RoundSecret(*secret), silent, &mut proof),
            Reveal::Wall { cards, salt } => self.prove_wall(open, cards, *salt, &mut proof),
            Reveal::None => {
                let why = match self.genesis.mode {
                    DealMode::Transcribed => "a transcribed deal has nothing to reveal",
                    DealMode::Explicit if round == 0 => "the players picked these cards by hand",
                    _ => "nothing is revealed",
                };
                proof.steps.push(unchecked("wall", why));
            }
        }
        if silent && !is_void {
            let why = format!("the deal is void, yet the round ended as {}", end.reason.name());
            proof.steps.push(fails("void", why));
        }
        proof
    }

    fn prove_secret(&mut self, open: &OpenDeal, secret: &RoundSecret, silent: bool, proof: &mut DealProof) {
        let Register { round, attempt, commitment, .. } = open.register;
        let made = Commitment::dealer(&open.id, secret);
        proof.steps.push(committed("secret", commitment, made));
        self.revealed.push((round, attempt, secret.clone()));
        self.prove_dealer(&open.register, proof);
        let context = match self.context(open, made, silent, proof) {
            Ok(context) => context,
            Err(error) => return proof.steps.push(fails("contributions", error)),
        };
        if silent {
            let why = "no cards were dealt: without a beacon all must reveal";
            return proof.steps.push(holds("void", why));
        }
        let (bytes, set) = (context.as_bytes(), self.rules.set());
        let digest = hex(&Sha256::digest(bytes));
        proof.steps.push(holds("context", format!("{} bytes, SHA-256 {digest}", bytes.len())));
        let first = stream(secret, &context).next().unwrap_or([0; 64]);
        proof.steps.push(holds("stream", format!("begins {}", hex(&first[..16]))));
        match deal::wall(secret, &context, set.packs, set.jokers) {
            Ok(wall) => {
                let (bits, needed) = (context.input_bits(), orders_bits(&self.rules.census()));
                let is_wide = f64::from(bits) >= needed;
                let every = if is_wide { "every order can come up" } else { "not every order can" };
                let width = format!("{bits} bits in, {needed:.1} needed: {every}");
                proof.steps.push(holds("width", width));
                self.found_wall(wall, proof);
            }
            Err(error) => proof.steps.push(fails("wall", error.to_string())),
        }
    }

    /// Checks the dealer: if the dealer is drawn, it follows from the secret of the round's first attempt.
    fn prove_dealer(&self, register: &Register, proof: &mut DealProof) {
        let (set, round) = (self.rules.set(), register.round);
        let is_drawn = match round {
            0 => false,
            1 => set.first_dealer == FirstDealer::Random,
            _ => set.next_dealer == NextDealer::Random,
        };
        let first = self.revealed.iter().find(|(of, attempt, _)| (*of, *attempt) == (round, 1));
        let Some((_, _, first)) = first.filter(|_| is_drawn) else { return };
        let drawn = random_dealer(first, self.game_id(), round, set.seats).ok();
        let name = |seat: Option<Seat>| seat.map_or("nobody".to_owned(), |seat| self.seat(seat));
        let was_drawn = format!("{} was drawn", name(drawn));
        proof.steps.push(match register.dealer {
            found if drawn.is_some() && drawn == found => holds("dealer", was_drawn),
            found => fails("dealer", format!("{was_drawn}, registered is {}", name(found))),
        });
    }

    fn contributions(&self, open: &OpenDeal) -> Vec<Contribution> {
        let given = open.deal.as_ref().map_or(&[][..], |deal| &deal.contributions);
        let seats = 0..usize::from(self.rules.set().seats);
        seats
            .map(|seat| Contribution {
                commitment: open.register.seats.get(seat).copied().flatten().map(Commitment),
                value: given.get(seat).copied().flatten(),
            })
            .collect()
    }

    /// Returns whether a seat withheld the value that it registered, and no beacon makes that harmless.
    fn is_silent(&self, open: &OpenDeal) -> bool {
        self.genesis.mode == DealMode::Committed
            && open.deal.is_some()
            && open.register.beacon.is_none()
            && self.contributions(open).iter().any(is_back)
    }

    /// Checks the values on which the wall depends besides the secret.
    fn context(
        &self,
        open: &OpenDeal,
        dealer: Commitment,
        silent: bool,
        proof: &mut DealProof,
    ) -> Result<Context, String> {
        let (digest, cards) = (self.rules.digest_text(), self.rules.deck_size());
        if self.genesis.mode != DealMode::Committed {
            return Context::seeded(&open.id, digest, cards, dealer).map_err(|error| error.to_string());
        }
        let seats = self.contributions(open);
        for (seat, contribution) in (0..).map(Seat).zip(&seats) {
            proof.steps.extend(self.seat_step(open, seat, contribution, silent));
        }
        let signature = open.deal.as_ref().and_then(|deal| deal.signature.as_deref());
        match (&open.register.beacon, signature) {
            (Some(beacon), Some(signature)) => self.prove_beacon(beacon, signature, proof),
            (Some(_), None) => {
                proof.steps.push(fails("beacon", "registered, and no signature given"));
            }
            (None, Some(_)) => {
                proof.steps.push(fails("beacon", "a signature, and none registered"));
            }
            (None, None) => {}
        }
        let beacon = signature.map(beacon_value);
        Context::committed(&open.id, digest, cards, dealer, &seats, beacon.as_ref())
            .map_err(|error| error.to_string())
    }

    fn prove_beacon(&self, beacon: &Beacon, signature: &[u8], proof: &mut DealProof) {
        let Some(chain) = self.chains.iter().find(|chain| chain.hash() == beacon.chain) else {
            let what = format!("round {} of chain {}", beacon.round, hex(&beacon.chain));
            let why = format!("{what}: its key is not known (--beacon-info FILE)");
            return proof.steps.push(unchecked("beacon", why));
        };
        let what = format!("round {} of {}", beacon.round, chain.name());
        proof.steps.push(match chain.verify(beacon.round, signature) {
            Ok(()) => holds("beacon", format!("{what}: signed with the chain's key")),
            Err(error) => fails("beacon", format!("{what}: {error}")),
        });
        let closed = format!("contributions closed {}", time::to_text(beacon.close_ms));
        let published = chain.published_ms(beacon.round).filter(|published| *published <= LATEST_MS);
        let at = published.map(|published| format!("published {}", time::to_text(published)));
        proof.steps.push(match at {
            Some(at) if published > Some(beacon.close_ms) => {
                holds("beacon's time", format!("{at}, {closed}"))
            }
            Some(at) => fails("beacon's time", format!("{at}, before {closed}")),
            None => fails("beacon's time", format!("{what} is never published")),
        });
    }

    fn prove_wall(&mut self, open: &OpenDeal, wall: &[Card], salt: [u8; 32], proof: &mut DealProof) {
        match Commitment::wall(&open.id, &WallSalt(salt), wall) {
            Ok(made) => proof.steps.push(committed("wall and salt", open.register.commitment, made)),
            Err(error) => proof.steps.push(fails("wall and salt", error.to_string())),
        }
        if self.salts.contains(&salt) {
            proof.steps.push(fails("salt", "was used for another wall of this game"));
        }
        self.salts.push(salt);
        let why = "the wall was given: how it was shuffled the log cannot tell";
        proof.steps.push(unchecked("shuffle", why));
        self.found_wall(wall.to_vec(), proof);
    }

    fn found_wall(&self, wall: Vec<Card>, proof: &mut DealProof) {
        let census = wall.iter().copied().collect::<Cards>() == self.rules.census();
        let first = list(wall.iter().take(8));
        let cards = format!("{} cards", wall.len());
        proof.steps.push(match census {
            true => holds("wall", format!("{cards}, the whole pack, beginning {first}")),
            false => fails("wall", format!("{cards}, not the pack of {}", self.rules.id())),
        });
        proof.wall = wall;
    }

    fn game_end(&mut self, end: &GameEnd) {
        let Some(secret) = end.secret.map(GameSecret) else { return };
        let made = Commitment::game(self.game_id(), &secret);
        self.game.push(committed("game secret", self.genesis.commitment, made));
        let follows =
            |&(round, attempt, ref found): &(u32, u32, RoundSecret)| secret.round(round, attempt) == *found;
        self.game.push(match self.revealed.iter().find(|reveal| !follows(reveal)) {
            None => {
                let all = format!("all {} secrets follow from the game's", self.revealed.len());
                holds("round secrets", all)
            }
            Some((round, attempt, _)) => {
                let other =
                    format!("that of round {round} attempt {attempt} does not follow from the game's");
                fails("round secrets", other)
            }
        });
    }

    /// Returns the result of all checks; checks without a reveal are open.
    pub fn report(mut self) -> DealReport {
        let is_secret = matches!(self.genesis.mode, DealMode::Seeded | DealMode::Committed);
        if is_secret && self.game.is_empty() {
            let why = "the game has not ended: its secret is not revealed yet";
            self.game.push(unchecked("game secret", why));
        }
        if let Some(open) = self.open.take() {
            let Register { round, attempt, .. } = open.register;
            let why = "the round has not ended: nothing is revealed yet";
            self.deals.push(DealProof {
                title: format!("round {round} attempt {attempt}"),
                steps: vec![unchecked("secret", why)],
                wall: Vec::new(),
            });
        }
        DealReport {
            game_id: hex(&self.genesis.game_id),
            rule_set: self.rules.id().to_owned(),
            mode: mode(self.genesis.mode),
            kept_back: self.kept_back.iter().map(|(seat, values)| (self.seat(*seat), *values)).collect(),
            game: self.game,
            deals: self.deals,
            voided: self.voided,
        }
    }

    /// Returns the name of the player on a seat that is numbered as in the genesis record.
    pub(super) fn seat(&self, seat: Seat) -> String {
        match self.rules.set().side_choice {
            SideChoice::DrawnCards => format!("seat {seat}"),
            SideChoice::Given => self.names.seat(seat),
        }
    }
}

fn mode(mode: DealMode) -> &'static str {
    match mode {
        DealMode::Seeded => "seeded: whoever has the secret could know, and choose, every deal",
        DealMode::Committed => "committed",
        DealMode::Explicit => "explicit walls",
        DealMode::Transcribed => "transcribed: nothing to prove",
    }
}

/// Checks that what was revealed matches its commitment.
fn committed(what: &'static str, registered: Option<[u8; 32]>, made: Commitment) -> ProofStep {
    let commits = hex(&made.0);
    match registered {
        Some(registered) if registered == made.0 => holds(what, format!("is what {commits} commits to")),
        Some(registered) => fails(what, format!("commits to {commits}, registered is {}", hex(&registered))),
        None => fails(what, "nothing was committed to"),
    }
}

/// Returns the logarithm to base 2 of the number of distinct orders of these cards.
fn orders_bits(census: &Cards) -> f64 {
    let log2_factorial = |n: u16| (2..=n).map(|i| f64::from(i).log2()).sum::<f64>();
    let copies: f64 = census.kinds().map(|(_, count)| log2_factorial(count.into())).sum();
    log2_factorial(census.len()) - copies
}

/// Returns whether a seat committed to a value and does not reveal it.
fn is_back(seat: &Contribution) -> bool {
    seat.commitment.is_some() && seat.value.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the values of the dealing scheme's own text, for the packs of 108 and 162 cards.
    #[test]
    fn orders_need_the_published_bits() {
        for (preset, bits) in [("classic-4p", 521.84), ("classic-6p-3x2", 816.43)] {
            let rules = Rules::preset(preset).expect("a preset that is played");
            assert!((orders_bits(&rules.census()) - bits).abs() < 0.01, "{preset}");
        }
    }
}
