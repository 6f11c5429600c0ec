//! Deeds that words name, held against the table: what the rules allow is nothing to rule on.

use super::deed::{Deed, NamedCards, Verb, deeds};
use super::incident::Incident;
use crate::judging::irregular::as_it_stands;
use canasta_engine::action::{About, Action, As, CardList, Group, MeldKind, Onto, TakePile};
use canasta_engine::apply::apply;
use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::check::check;
use canasta_engine::citation::cite;
use canasta_engine::known::{Known, from_hand};
use canasta_engine::legal;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use canasta_engine::violations::Code;

/// A legal act.
pub struct AllowedAct {
    /// The actions in notation.
    pub actions: Vec<String>,
    /// Ids of the rules that allow them.
    pub rules: Vec<&'static str>,
}

/// The table during the act, as far as its cards are known.
struct Trial<'a> {
    table: Table,
    known: Option<Known>,
    /// The typed position, until its unknown cards have been filled in.
    typed: Option<&'a Position>,
    seat: Seat,
}

/// Returns the act of `seat` that the words name, if every word is understood and the rules allow it here.
pub fn allowed(incident: &Incident, seat: Option<Seat>, what: &str) -> Option<AllowedAct> {
    let seat = seat.or(incident.seat)?;
    let deeds = deeds(what, &|word| incident.find_seat(word).map(|named| named == seat))?;
    let mut trial = Trial {
        table: incident.table.clone()?,
        known: incident.known.clone(),
        typed: incident.typed_with_unknown(),
        seat,
    };
    let mut act = AllowedAct { actions: Vec::new(), rules: Vec::new() };
    let goes_out = deeds.iter().any(|deed| deed.verb == Verb::GoOut);
    let mut last = None;
    for deed in deeds.iter().filter(|deed| deed.verb != Verb::GoOut) {
        let action = trial.act(deed)?;
        act.add(deed.verb, &action, &trial);
        last = Some(action);
    }
    if goes_out && !(last.is_some() && is_over(&trial.table)) {
        for action in trial.way_out()? {
            act.add(Verb::GoOut, &action, &trial);
        }
    }
    if goes_out {
        act.cite(Verb::GoOut, None, &trial);
    }
    Some(act)
}

impl AllowedAct {
    fn add(&mut self, verb: Verb, action: &Action, trial: &Trial<'_>) {
        let proposal = Proposal { actor: None, action: action.clone() };
        self.actions.extend(proposal.to_text(trial.table.set()));
        let card = if let Action::Discard(card) = action { Some(*card) } else { None };
        self.cite(if card.is_some() { Verb::Discard } else { verb }, card, trial);
    }

    /// Adds the rules on a kind of act: those that a breach of them would name.
    fn cite(&mut self, verb: Verb, card: Option<Card>, trial: &Trial<'_>) {
        let code = match verb {
            Verb::Draw => Code::TurnDrawFirst,
            Verb::Take => Code::PileTopNotMelded,
            Verb::Meld | Verb::Play => Code::MeldTooSmall,
            Verb::Discard => Code::DiscardRequired,
            Verb::Ask | Verb::Answer(_) => Code::AskPending,
            Verb::GoOut => Code::GoOutNeedsCanastas,
        };
        let of_card = card.and_then(|card| match card.class() {
            Class::BlackThree => Some(Code::PileTopBlackThree),
            Class::Wild => Some(Code::PileTopWild),
            _ => None,
        });
        let books = trial.table.rules().books();
        for rule in [Some(code), of_card].into_iter().flatten().flat_map(|code| cite(code, &books)) {
            if !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
    }
}

fn is_over(table: &Table) -> bool {
    matches!(table.phase(), Phase::RoundOver | Phase::GameOver)
}

impl Trial<'_> {
    /// Does a deed, if each way to read it is legal, or one of them where only the targets are left open.
    fn act(&mut self, deed: &Deed) -> Option<Action> {
        let mut legal = None;
        let candidates = self.candidates(deed);
        for action in &candidates {
            match self.after(action) {
                Some(after) => {
                    legal.get_or_insert((after, action.clone()));
                }
                // Cards that fit the name alike must all be legal: else nobody knows which was meant.
                None if deed.verb == Verb::Discard && !deed.cards.iter().all(NamedCards::is_any) => {
                    return None;
                }
                None => {}
            }
        }
        let ((table, known), action) = legal?;
        (self.table, self.known, self.typed) = (table, known, None);
        Some(action)
    }

    /// Returns the table after a legal action.
    fn after(&self, action: &Action) -> Option<(Table, Option<Known>)> {
        let mut table = match self.typed {
            Some(typed) => self.filled(typed, action)?,
            None => self.table.clone(),
        };
        let Some(mut known) = self.known.clone() else {
            let legal = check(&table, As::Seat(self.seat), action).ok()?;
            apply(&mut table, legal);
            return Some((table, None));
        };
        known.act(&mut table, As::Seat(self.seat), action, &[], &Vec::new).ok()?;
        Some((table, Some(known)))
    }

    /// Returns the typed position with the cards of an action in the hand.
    fn filled(&self, typed: &Position, action: &Action) -> Option<Table> {
        let (mut known, mut pool) = (typed.named().hands[self.seat.index()], typed.pool());
        let mut hand: Vec<Card> = from_hand(action).into_iter().filter(|card| !known.remove(*card)).collect();
        hand.iter().for_each(|card| _ = pool.remove(*card));
        let more = usize::from(typed.unknown_in_hand(self.seat)).checked_sub(hand.len())?;
        hand.extend(pool.iter().filter(|card| typed.may_be_held(*card)).take(more));
        as_it_stands(typed, self.seat, &hand, &[]).0
    }

    /// Returns the ways to read a deed.
    fn candidates(&self, deed: &Deed) -> Vec<Action> {
        match deed.verb {
            Verb::Draw => self.draw(deed).into_iter().collect(),
            Verb::Take => self.takes(deed),
            Verb::Meld => self.melds(deed),
            Verb::Discard => self.discards(deed),
            Verb::Play => self.melds(deed).into_iter().chain(self.discards(deed)).collect(),
            Verb::Ask => vec![Action::Ask { about: About::GoOut, to: None, with: None }],
            Verb::Answer(yes) => vec![Action::Answer { yes }],
            Verb::GoOut => Vec::new(),
        }
    }

    fn draw(&self, deed: &Deed) -> Option<Action> {
        let count = usize::from(self.table.set().draw_count);
        let is_all = match deed.cards[..] {
            [] => true,
            [cards] => cards.is_any() && cards.count == count,
            _ => false,
        };
        is_all.then_some(Action::DrawStock)
    }

    fn discards(&self, deed: &Deed) -> Vec<Action> {
        let cards = match deed.cards[..] {
            [] => NamedCards::ANY_ONE,
            [cards] => cards,
            _ => return Vec::new(),
        };
        if cards.count != 1 || deed.onto.is_some() {
            return Vec::new();
        }
        self.held().filter(|card| cards.fits(*card)).map(Action::Discard).collect()
    }

    fn takes(&self, deed: &Deed) -> Vec<Action> {
        let listed = legal::steps(&self.table).actions.into_iter();
        let is_whole = self.is_hand_known();
        let fits = |action: &Action| match action {
            Action::TakePile(take) => {
                deed.cards.is_empty()
                    || self
                        .pick(&deed.cards, &mut take.with.iter().copied().collect())
                        .is_some_and(|picked| picked.len() == take.with.len())
            }
            _ => false,
        };
        let built = self.pick(&deed.cards, &mut self.pool()).filter(|cards| !cards.is_empty());
        let built = built.map(|with| Action::TakePile(TakePile { with, ..TakePile::default() }));
        built.into_iter().chain(listed.filter(|action| is_whole && fits(action))).collect()
    }

    fn melds(&self, deed: &Deed) -> Vec<Action> {
        let threes = |cards: &CardList| cards.iter().all(|card| card.class() == Class::RedThree);
        let Some(cards) = self.pick(&deed.cards, &mut self.pool()).filter(|cards| !cards.is_empty()) else {
            return Vec::new();
        };
        if threes(&cards) {
            return vec![Action::LayThrees(cards)];
        }
        let meld = |groups: Vec<Group>| Action::Meld(groups.into_iter().collect());
        let one = |kind, onto| Group { kind, onto, top: false, cards: cards.clone() };
        let side = self.table.side_of(self.seat);
        let own = self.table.melds().iter().filter(|meld| meld.side == side);
        if let Some(rank) = deed.onto {
            let targets = own.filter(|meld| meld.rank == Some(rank));
            return targets
                .map(|to| meld(vec![one(to.kind, Onto::Meld { side: None, id: to.id })]))
                .collect();
        }
        let mut groups: Vec<Group> = Vec::new();
        for &card in &cards {
            let rank =
                |group: &Group| group.cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
            let fits = |group: &&mut Group| card.is_wild() || rank(group).is_none_or(|of| of == card.rank());
            match groups.last_mut().filter(fits) {
                Some(group) => group.cards.push(card),
                None => groups
                    .push(Group { cards: [card].into_iter().collect(), ..one(MeldKind::Set, Onto::Auto) }),
            }
        }
        for group in &mut groups {
            group.kind = match group.cards.iter().all(|card| card.is_wild()) {
                true => MeldKind::Wild,
                false if group.cards.iter().any(|card| card.class() == Class::BlackThree) => {
                    MeldKind::BlackThrees
                }
                false => MeldKind::Set,
            };
        }
        let suit = cards.first().and_then(|card| card.suit());
        let run = cards.len() > 2 && groups.len() > 1 && cards.iter().all(|card| card.suit() == suit);
        let run = run.then(|| meld(vec![one(MeldKind::Sequence, Onto::New)]));
        // Wild cards without a meld of their own go to any.
        let wild = cards.iter().all(|card| card.is_wild());
        let onto =
            own.filter(|_| wild).map(|to| meld(vec![one(to.kind, Onto::Meld { side: None, id: to.id })]));
        let onto: Vec<Action> = onto.collect();
        run.into_iter().chain([meld(groups)]).chain(onto).collect()
    }

    /// Returns a shortest way to go out now, if one is legal.
    fn way_out(&self) -> Option<Vec<Action>> {
        if !self.is_hand_known() {
            return None;
        }
        for first in legal::steps(&self.table).actions {
            let Some((table, known)) = self.after(&first) else { continue };
            if is_over(&table) {
                return Some(vec![first]);
            }
            let hand = *table.hand(self.seat);
            if hand.len() != 1 || table.to_act() != Some(self.seat) {
                continue;
            }
            let rest = Trial { table, known, typed: None, seat: self.seat };
            let last = hand.iter().map(Action::Discard).next()?;
            if rest.after(&last).is_some_and(|(table, _)| is_over(&table)) {
                return Some(vec![first, last]);
            }
        }
        None
    }

    fn is_hand_known(&self) -> bool {
        self.typed.is_none_or(|typed| typed.unknown_in_hand(self.seat) == 0)
            && self.known.as_ref().is_none_or(|known| known.open(self.seat).is_empty())
    }

    /// Returns the kinds of cards that the seat may hold.
    fn held(&self) -> impl Iterator<Item = Card> {
        let pool = self.pool();
        Card::all().filter(move |card| pool.count(*card) > 0)
    }

    /// Returns the cards that the hand has, or may have.
    fn pool(&self) -> Cards {
        let mut hand = *self.table.hand(self.seat);
        let open = self.known.as_ref().is_some_and(|known| !known.open(self.seat).is_empty());
        match self.typed {
            Some(typed) if typed.unknown_in_hand(self.seat) > 0 => {
                hand = typed.named().hands[self.seat.index()];
                hand.add(&typed.pool());
            }
            // The known cards say which cards fit, and the rules judge whether they can be held.
            _ if open => hand = self.table.rules().census(),
            _ => {}
        }
        hand
    }

    /// Takes as many cards as are named out of a pool; `None` if it has too few.
    fn pick(&self, names: &[NamedCards], pool: &mut Cards) -> Option<CardList> {
        let mut picked = CardList::new();
        for name in names {
            let fitting = pool.iter().filter(|card| name.fits(*card)).count();
            for _ in 0..if name.count == 0 { fitting.clamp(1, 3) } else { name.count } {
                let fits = |card: &Card| name.fits(*card);
                let card = pool.iter().find(fits)?;
                pool.remove(card);
                picked.push(card);
            }
        }
        Some(picked)
    }
}
