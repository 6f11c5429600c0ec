//! The table of a simulated game: registers, contributions and walls, all derived from the game's secret.

use super::SimulatedDeals;
use super::keys::SeatKeys;
use canasta_engine::action::{Action, As, CardList, Deal};
use canasta_engine::card::Card;
use canasta_engine::deal::{Board, Commitment, GameId, GameSecret, WallSalt, simulate};
use canasta_engine::dealing::{DealSource, Registration};
use canasta_engine::game::Game;
use canasta_engine::game::{NewDeal, RegisterEntry};
use canasta_engine::rules::{FirstDealer, NextDealer, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::violations::Code;
use canasta_engine::violations::Fact;

pub struct SimulatedTable<'a> {
    pub mode: SimulatedDeals,
    pub rules: &'a Rules,
    pub secret: GameSecret,
    pub keys: SeatKeys,
    /// The board whose walls are given; without one those of the seeded game are.
    pub board: Option<&'a Board>,
}

impl SimulatedTable<'_> {
    pub fn game_id(&self) -> GameId {
        simulate::game_id(&self.secret)
    }

    pub fn first_deal(&self) -> NewDeal {
        match self.mode {
            SimulatedDeals::Seeded => NewDeal::Seeded(self.secret.clone()),
            SimulatedDeals::Committed => NewDeal::Committed(self.secret.clone()),
            SimulatedDeals::Explicit => {
                let (wall, salt) = self.wall(1, 1);
                NewDeal::Explicit { wall, salt }
            }
        }
    }

    /// Returns the first dealer: seat 0 if nothing decides it; with given walls, the dealer that the secret
    /// gives.
    pub fn first_dealer(&self) -> Option<Seat> {
        match self.rules.set().first_dealer {
            FirstDealer::Given => Some(Seat(0)),
            FirstDealer::Random if self.mode == SimulatedDeals::Explicit => self.random_dealer(1),
            _ => None,
        }
    }

    pub fn registration(&self) -> Registration {
        if self.mode == SimulatedDeals::Committed { Registration::ByTable } else { Registration::Auto }
    }

    /// Returns the entry of the next deal's register.
    pub fn entry(&self, state: &Game) -> RegisterEntry {
        let (round, attempt) = deal_number(state);
        match self.mode {
            SimulatedDeals::Seeded => RegisterEntry::default(),
            SimulatedDeals::Committed if round == 0 => RegisterEntry::default(),
            SimulatedDeals::Committed => {
                let id = state.dealing.deal_id(&state.table);
                let commitment = |seat| {
                    let (value, _) = simulate::contribution(&self.secret, round, attempt, seat);
                    Some(Commitment::seat(&id, seat, &value).0)
                };
                let seats: Vec<_> = seats(state).map(commitment).collect();
                let signatures = self.keys.signatures(state, &seats);
                RegisterEntry { seats, signatures, ..RegisterEntry::default() }
            }
            SimulatedDeals::Explicit => {
                let wall = self.wall(round, attempt);
                let random = self.rules.set().next_dealer == NextDealer::Random && round > 1 && attempt == 1;
                let dealer = if random { self.random_dealer(round) } else { None };
                RegisterEntry { wall: Some(wall), dealer, ..RegisterEntry::default() }
            }
        }
    }

    /// Returns the table's action with its data; `bare` is the action without data.
    pub fn deal(&self, state: &Game, bare: &Action) -> Action {
        let (round, attempt) = deal_number(state);
        let by_hand = matches!(state.dealing.source, DealSource::Wall { .. });
        match (bare, self.mode) {
            (Action::DrawCards(_), _) if by_hand => self.picks(state),
            (Action::Deal(_), SimulatedDeals::Committed) => {
                let revealed = |seat| {
                    let (value, reveals) = simulate::contribution(&self.secret, round, attempt, seat);
                    reveals.then_some(value)
                };
                let contributions = seats(state).map(revealed).collect();
                Action::Deal(Box::new(Deal { contributions, ..Deal::default() }))
            }
            _ => bare.clone(),
        }
    }

    /// Returns cards for the draw of seats and dealer, picked in the order of a wall until they decide it.
    fn picks(&self, state: &Game) -> Action {
        let mut wall = self.wall(0, 1).0.into_iter();
        let mut picks: Vec<CardList> = seats(state).map(|_| CardList::new()).collect();
        let mut due: Vec<Seat> = seats(state).collect();
        loop {
            for seat in due {
                picks[seat.index()].extend(wall.next());
            }
            let action = Action::DrawCards(picks.clone());
            let tied = match state.check(As::Table, &action) {
                Err(refused) if refused.code() == Code::SetupDrawTied => {
                    refused.violations[0].get("seats").cloned()
                }
                _ => None,
            };
            let Some(Fact::Seats(seats)) = tied else { return action };
            due = seats;
        }
    }

    fn random_dealer(&self, round: u32) -> Option<Seat> {
        self.board().dealer(self.rules, round).ok()
    }

    /// Returns the board; the seeded game is one too.
    fn board(&self) -> Board {
        let own = || Board { id: self.game_id(), secret: self.secret.clone() };
        self.board.cloned().unwrap_or_else(own)
    }

    fn wall(&self, round: u32, attempt: u32) -> (Vec<Card>, WallSalt) {
        let wall = self.board().wall(self.rules, round, attempt);
        let salt = match self.board {
            Some(board) => board.salt(self.game_id(), round, attempt),
            None => simulate::salt(&self.secret, round, attempt),
        };
        (wall.expect("a rule set that is played has a pack, and 4,096 bytes shuffle it"), salt)
    }
}

fn deal_number(state: &Game) -> (u32, u32) {
    (state.table.round_number().into(), state.table.attempt().into())
}

fn seats(state: &Game) -> impl Iterator<Item = Seat> {
    (0..state.table.set().seats).map(Seat)
}
