//! Checks of what a log reveals about its deals, record by record.

use super::report::{DealProof, DealReport, GivenValues, ProofResult, ProofStep};
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

/// The last millisecond of the year 9999, since 1970: later times have no text form.
const LATEST_MS: i64 = 253_402_300_799_999;

/// A deal that is not finished.
pub(super) struct OpenDeal {
    pub register: Register,
    pub id: DealId,
    /// The head before the register.
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
                proof.push("wall", ProofResult::Open(why.into()));
            }
        }
        if silent && !is_void {
            let why = format!("the deal is void, yet the round ended as {}", end.reason.name());
            proof.push("void", ProofResult::Fails(why));
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
            Err(error) => return proof.push("contributions", ProofResult::Fails(error)),
        };
        if silent {
            return proof.push(
                "void",
                ProofResult::Holds("no cards were dealt: without a beacon all must reveal".into()),
            );
        }
        let (bytes, set) = (context.as_bytes(), self.rules.set());
        let digest = hex(&Sha256::digest(bytes));
        proof.push("context", ProofResult::Holds(format!("{} bytes, SHA-256 {digest}", bytes.len())));
        let first = stream(secret, &context).next().unwrap_or([0; 64]);
        proof.push("stream", ProofResult::Holds(format!("begins {}", hex(&first[..16]))));
        match deal::wall(secret, &context, set.packs, set.jokers) {
            Ok(wall) => {
                let (bits, needed) = (context.input_bits(), orders_bits(&self.rules.census()));
                let is_wide = f64::from(bits) >= needed;
                let every = if is_wide { "every order can come up" } else { "not every order can" };
                proof.push(
                    "width",
                    ProofResult::Holds(format!("{bits} bits in, {needed:.1} needed: {every}")),
                );
                self.found_wall(wall, proof);
            }
            Err(error) => proof.push("wall", ProofResult::Fails(error.to_string())),
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
        let outcome = match (drawn, register.dealer) {
            (Some(drawn), Some(found)) if drawn == found => {
                ProofResult::Holds(format!("{} was drawn", self.seat(drawn)))
            }
            (drawn, found) => {
                let name = |seat: Option<Seat>| seat.map_or("nobody".to_owned(), |seat| self.seat(seat));
                ProofResult::Fails(format!("{} was drawn, registered is {}", name(drawn), name(found)))
            }
        };
        proof.push("dealer", outcome);
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
        let is_back = |seat: &Contribution| seat.commitment.is_some() && seat.value.is_none();
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
            if let Some(outcome) = self.seat_outcome(open, seat, contribution, silent) {
                proof.push("seat", outcome);
            }
        }
        let signature = open.deal.as_ref().and_then(|deal| deal.signature.as_deref());
        match (&open.register.beacon, signature) {
            (Some(beacon), Some(signature)) => self.prove_beacon(beacon, signature, proof),
            (Some(_), None) => {
                proof.push("beacon", ProofResult::Fails("registered, and no signature given".into()));
            }
            (None, Some(_)) => {
                proof.push("beacon", ProofResult::Fails("a signature, and none registered".into()));
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
            return proof.push("beacon", ProofResult::Open(why));
        };
        let what = format!("round {} of {}", beacon.round, chain.name());
        let outcome = match chain.verify(beacon.round, signature) {
            Ok(()) => ProofResult::Holds(format!("{what}: signed with the chain's key")),
            Err(error) => ProofResult::Fails(format!("{what}: {error}")),
        };
        proof.push("beacon", outcome);
        let close = time::to_text(beacon.close_ms);
        let outcome = match chain.published_ms(beacon.round) {
            Some(published) if published > beacon.close_ms && published <= LATEST_MS => ProofResult::Holds(
                format!("published {}, contributions closed {close}", time::to_text(published)),
            ),
            Some(published) if published <= LATEST_MS => ProofResult::Fails(format!(
                "published {}, before contributions closed {close}",
                time::to_text(published)
            )),
            _ => ProofResult::Fails(format!("{what} is never published")),
        };
        proof.push("beacon's time", outcome);
    }

    fn prove_wall(&mut self, open: &OpenDeal, wall: &[Card], salt: [u8; 32], proof: &mut DealProof) {
        match Commitment::wall(&open.id, &WallSalt(salt), wall) {
            Ok(made) => proof.steps.push(committed("wall and salt", open.register.commitment, made)),
            Err(error) => proof.push("wall and salt", ProofResult::Fails(error.to_string())),
        }
        if self.salts.contains(&salt) {
            proof.push("salt", ProofResult::Fails("was used for another wall of this game".into()));
        }
        self.salts.push(salt);
        proof.push(
            "shuffle",
            ProofResult::Open("the wall was given: how it was shuffled the log cannot tell".into()),
        );
        self.found_wall(wall.to_vec(), proof);
    }

    fn found_wall(&self, wall: Vec<Card>, proof: &mut DealProof) {
        let census = wall.iter().copied().collect::<Cards>() == self.rules.census();
        let first = list(wall.iter().take(8));
        let outcome = if census {
            ProofResult::Holds(format!("{} cards, the whole pack, beginning {first}", wall.len()))
        } else {
            ProofResult::Fails(format!("{} cards, not the pack of {}", wall.len(), self.rules.id()))
        };
        proof.push("wall", outcome);
        proof.wall = wall;
    }

    fn game_end(&mut self, end: &GameEnd) {
        let Some(secret) = end.secret.map(GameSecret) else { return };
        let made = Commitment::game(self.game_id(), &secret);
        self.game.push(committed("game secret", self.genesis.commitment, made));
        let follows =
            |&(round, attempt, ref found): &(u32, u32, RoundSecret)| secret.round(round, attempt) == *found;
        let outcome = match self.revealed.iter().find(|reveal| !follows(reveal)) {
            None => ProofResult::Holds(format!("all {} secrets follow from the game's", self.revealed.len())),
            Some((round, attempt, _)) => ProofResult::Fails(format!(
                "that of round {round} attempt {attempt} does not follow from the game's"
            )),
        };
        self.game.push(ProofStep { what: "round secrets", outcome });
    }

    /// Returns the result of all checks; checks without a reveal are open.
    pub fn report(mut self) -> DealReport {
        let is_secret = matches!(self.genesis.mode, DealMode::Seeded | DealMode::Committed);
        if is_secret && self.game.is_empty() {
            let why = "the game has not ended: its secret is not revealed yet".to_owned();
            self.game.push(ProofStep { what: "game secret", outcome: ProofResult::Open(why) });
        }
        if let Some(open) = self.open.take() {
            let Register { round, attempt, .. } = open.register;
            let why = "the round has not ended: nothing is revealed yet".to_owned();
            self.deals.push(DealProof {
                title: format!("round {round} attempt {attempt}"),
                steps: vec![ProofStep { what: "secret", outcome: ProofResult::Open(why) }],
                wall: Vec::new(),
            });
        }
        DealReport {
            game_id: hex(&self.genesis.game_id),
            rule_set: self.rules.id().to_owned(),
            mode: mode(self.genesis.mode),
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
    let outcome = match registered {
        Some(registered) if registered == made.0 => {
            ProofResult::Holds(format!("is what {} commits to", hex(&made.0)))
        }
        Some(registered) => {
            ProofResult::Fails(format!("commits to {}, registered is {}", hex(&made.0), hex(&registered)))
        }
        None => ProofResult::Fails("nothing was committed to".into()),
    };
    ProofStep { what, outcome }
}

/// Returns the logarithm to base 2 of the number of distinct orders of these cards.
fn orders_bits(census: &Cards) -> f64 {
    let log2_factorial = |n: u16| (2..=n).map(|i| f64::from(i).log2()).sum::<f64>();
    let copies: f64 = census.kinds().map(|(_, count)| log2_factorial(count.into())).sum();
    log2_factorial(census.len()) - copies
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
