//! Deeds that words name, held against the table: what the rules allow is nothing to rule on.

use super::deed::{Deed, Verb, deeds};
use super::incident::{Incident, Offence};
use super::named::NamedCards;
use super::{LISTENER, Matter, Meaning};
use crate::judging::as_known::TableAsKnown;
use crate::judging::irregular::as_it_stands;
use crate::shared::text::action_line;
use canasta_engine::action::{About, Action, As, CardList, Group, MeldKind, Onto, TakePile};
use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::citation::cite;
use canasta_engine::explain::{freezing_rules, minimum_rules};
use canasta_engine::known::from_hand;
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rejection::Rejection;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Meld, Phase, Table};
use canasta_engine::violations::Code;

pub struct AllowedAct {
    pub actions: Vec<String>,
    /// Ids of the rules that allow them.
    pub rules: Vec<&'static str>,
}

/// The table during the act, as far as its cards are known.
#[derive(Clone)]
struct Trial<'a> {
    now: TableAsKnown,
    /// The typed position, until its unknown cards have been filled in.
    typed: Option<&'a Position>,
    seat: Seat,
}

/// The verdict of the rules on what words name.
pub enum DeedVerdict {
    Allowed(AllowedAct),
    Broken(Offence),
}

/// Irregularities that the rules find in a deed. Of others, such as a turn, a typed position knows too little.
const FOUND: [&str; 7] =
    ["bad-meld", "bad-discard", "pile-wrong", "opened-low", "out-without", "out-after-no", "out-unasked"];

/// Judges the act of a seat, as it is spelled or by the words, that words name; `None` if they are not understood, or more than the cards of the table decides.
pub fn judge(incident: &Incident, seat: Option<&str>, what: &str) -> Option<DeedVerdict> {
    let seat = seat.and_then(|word| incident.find_seat(word)).or_else(|| incident.seat_in(what));
    let seat = seat.or(incident.seat)?;
    let is_harmless =
        |part: &str| !matches!(LISTENER.hear(part, |_| true), Meaning::One(Matter::Irregularity(_)));
    let is_actor = |word: &str| incident.find_seat(word).map(|named| named == seat);
    let (deeds, is_all) = deeds(what, &is_actor, &is_harmless)?;
    let mut trial = Trial { now: incident.position.clone()?, typed: incident.typed_with_unknown(), seat };
    let mut act = AllowedAct { actions: Vec::new(), rules: Vec::new() };
    let goes_out = deeds.iter().any(|deed| deed.verb == Verb::GoOut);
    if goes_out {
        act.cite(Verb::GoOut, None, &trial);
    }
    let mut last = None;
    for deed in deeds.iter().filter(|deed| deed.verb != Verb::GoOut || !deed.cards.is_empty()) {
        let before = trial.clone();
        let action = match trial.act(deed) {
            Ok(action) => action,
            Err(rejection) => return found(rejection?),
        };
        act.add(deed.verb, &action, &before);
        last = Some(action);
    }
    if goes_out && !(last.is_some() && is_over(&trial.now.table)) {
        for action in trial.way_out()? {
            act.add(Verb::GoOut, &action, &trial);
        }
    }
    is_all.then_some(DeedVerdict::Allowed(act))
}

/// Returns the offence that a refusal shows.
fn found(rejection: Rejection) -> Option<DeedVerdict> {
    let is_of_turn = rejection.violations.iter().any(|found| found.code.name().starts_with("TURN_"));
    let offence = Offence::of(rejection, true);
    let is_found = offence.irregularity().is_some_and(|row| FOUND.contains(&row.id));
    (is_found && !is_of_turn).then_some(DeedVerdict::Broken(offence))
}

impl AllowedAct {
    fn add(&mut self, verb: Verb, action: &Action, before: &Trial<'_>) {
        self.actions.extend(action_line(None, action, before.now.table.set()));
        let verb = if matches!(action, Action::Discard(_)) { Verb::Discard } else { verb };
        self.cite(verb, Some(action), before);
    }

    /// Adds the rules on a kind of act: those that allow it, and those that a breach of them would name.
    fn cite(&mut self, verb: Verb, action: Option<&Action>, before: &Trial<'_>) {
        let (table, seat) = (&before.now.table, before.seat);
        let frozen = freezing_rules(table, seat);
        let top_is_wild = table.pile().last().is_some_and(|card| card.is_wild());
        let (row, code) = match verb {
            Verb::Draw => ("CL-016 CL-017 MA-021 MA-022 HF-042 SA-015", Some(Code::TurnDrawFirst)),
            Verb::Take if top_is_wild => ("HF-050 HF-044", None),
            Verb::Take if !frozen.is_empty() => ("CL-053 CL-054 MA-060 HF-044 HF-046 SA-040", None),
            Verb::Take => ("CL-042 CL-045 CL-046 MA-060 HF-044 HF-046 SA-040 SA-042 MZ-026", None),
            Verb::Meld | Verb::Play => ("CL-026 MA-041 HF-055 SA-027", Some(Code::MeldTooSmall)),
            Verb::Discard => ("CL-021 MA-026 HF-072 HF-076", Some(Code::DiscardRequired)),
            Verb::Ask => ("CL-085 MA-126 HF-088 SA-062", Some(Code::AskPending)),
            Verb::Answer(_) => ("CL-087 MA-126", Some(Code::AskPending)),
            Verb::GoOut => ("CL-085 MA-130 HF-088 SA-062", Some(Code::GoOutNeedsCanastas)),
        };
        let books = table.rules().books();
        let mut rules: Vec<&'static str> = Vec::new();
        if let Some(action @ Action::Meld(groups)) = action {
            let has = |kind: MeldKind| groups.iter().any(|group| group.kind == kind);
            if !table.opened(table.side_of(seat)) {
                rules.extend(minimum_rules(table, seat, action));
            }
            if has(MeldKind::Sequence) {
                rules.extend(cite(Code::MeldSequenceGap, &books));
            } else if has(MeldKind::BlackThrees) {
                rules.extend(cite(Code::ThreeBlackNotGoingOut, &books));
            }
        }
        rules.extend(books.cite_row(row));
        if verb == Verb::Take {
            rules.extend(frozen);
        }
        match action {
            Some(Action::Discard(card)) if card.class() == Class::BlackThree => {
                rules.extend(cite(Code::PileTopBlackThree, &books));
            }
            Some(Action::Discard(card)) if card.is_wild() => rules.extend(cite(Code::PileTopWild, &books)),
            _ => {}
        }
        rules.extend(code.into_iter().flat_map(|code| cite(code, &books)));
        for rule in rules {
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
    ///
    /// # Errors
    /// If no way is legal: what the rules say against the first that they judge, if they judge each.
    fn act(&mut self, deed: &Deed) -> Result<Action, Option<Rejection>> {
        let (mut legal, mut refused, mut is_open) = (None, None, false);
        for action in self.candidates(deed) {
            match self.after(&action) {
                Ok(after) => _ = legal.get_or_insert((after, action)),
                Err(Some(rejection)) => _ = refused.get_or_insert(rejection),
                Err(None) => is_open = true,
            }
        }
        // Cards that fit the name alike must all be legal: else nobody knows which was meant.
        let is_named = deed.verb == Verb::Discard && !deed.cards.iter().all(NamedCards::is_any);
        match legal {
            Some(_) if is_named && (is_open || refused.is_some()) => Err(None),
            Some((after, action)) => {
                (self.now, self.typed) = (after, None);
                Ok(action)
            }
            None => Err(refused.filter(|_| !is_open)),
        }
    }

    /// Returns the table after a legal action.
    ///
    /// # Errors
    /// The refusal of the rules; `None` if they cannot judge it.
    fn after(&self, action: &Action) -> Result<TableAsKnown, Option<Rejection>> {
        let mut after = self.now.clone();
        if let Some(typed) = self.typed {
            after.table = self.filled(typed, action).ok_or(None)?;
        }
        after.act(As::Seat(self.seat), action, &[])?;
        Ok(after)
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

    fn candidates(&self, deed: &Deed) -> Vec<Action> {
        match deed.verb {
            Verb::Draw => self.draw(deed).into_iter().collect(),
            Verb::Take => self.takes(deed),
            Verb::Meld => self.melds(deed),
            Verb::Discard => self.discards(deed),
            Verb::Play | Verb::GoOut => self.melds(deed).into_iter().chain(self.discards(deed)).collect(),
            Verb::Ask => vec![Action::Ask { about: About::GoOut, to: None, with: None }],
            Verb::Answer(yes) => vec![Action::Answer { yes }],
        }
    }

    fn draw(&self, deed: &Deed) -> Option<Action> {
        let table = &self.now.table;
        let count = usize::from(table.set().cards_drawn(table.round_number()));
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
        let table = &self.now.table;
        let (length, portion) = (table.pile().len(), usize::from(table.set().pile_portion));
        let count = if portion == 0 { length } else { length.min(portion) };
        let is_part = count < length;
        // `took seven cards of the pile`: a number of them, and not those with which it is taken.
        let (of_pile, with): (Vec<NamedCards>, Vec<NamedCards>) =
            deed.cards.iter().partition(|cards| cards.is_any() && cards.count > 2);
        if !deed.of_pile || deed.is_whole == Some(is_part) || of_pile.iter().any(|cards| cards.count != count)
        {
            return Vec::new();
        }
        let listed = legal::steps(table).actions.into_iter();
        let is_whole = self.is_hand_known();
        let fits = |action: &Action| match action {
            Action::TakePile(take) => {
                with.is_empty()
                    || self
                        .pick(&with, &mut take.with.iter().copied().collect())
                        .is_some_and(|picked| picked.len() == take.with.len())
            }
            _ => false,
        };
        let built = self.pick(&with, &mut self.pool()).filter(|cards| !cards.is_empty());
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
        let onto = |to: &Meld| meld(vec![one(to.kind, Onto::Meld { side: None, id: to.id })]);
        let own = self.now.table.melds_of(self.now.table.side_of(self.seat));
        if let Some(rank) = deed.onto {
            return own.filter(|meld| meld.rank == Some(rank)).map(onto).collect();
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
        let onto = own.filter(|_| wild && !deed.is_alone).map(onto);
        run.into_iter().chain([meld(groups)]).chain(onto).collect()
    }

    /// Returns a shortest way to go out now, if one is legal.
    fn way_out(&self) -> Option<Vec<Action>> {
        if !self.is_hand_known() {
            return None;
        }
        for first in legal::steps(&self.now.table).actions {
            let Ok(mut after) = self.after(&first) else { continue };
            if is_over(&after.table) {
                return Some(vec![first]);
            }
            let hand = *after.table.hand(self.seat);
            if hand.len() != 1 || after.table.to_act() != Some(self.seat) {
                continue;
            }
            let last = hand.iter().map(Action::Discard).next()?;
            if after.act(As::Seat(self.seat), &last, &[]).is_ok() && is_over(&after.table) {
                return Some(vec![first, last]);
            }
        }
        None
    }

    fn is_hand_known(&self) -> bool {
        self.typed.is_none_or(|typed| typed.unknown_in_hand(self.seat) == 0)
            && self.now.open(self.seat).is_empty()
    }

    /// Returns the kinds of cards that the seat may hold.
    fn held(&self) -> impl Iterator<Item = Card> {
        let pool = self.pool();
        Card::all().filter(move |card| pool.count(*card) > 0)
    }

    /// Returns the cards that the hand has, or may have.
    fn pool(&self) -> Cards {
        let mut hand = *self.now.table.hand(self.seat);
        match self.typed {
            Some(typed) if typed.unknown_in_hand(self.seat) > 0 => {
                hand = typed.named().hands[self.seat.index()];
                hand.add(&typed.pool());
            }
            // The known cards say which cards fit, and the rules judge whether they can be held.
            _ if !self.now.open(self.seat).is_empty() => hand = self.now.table.rules().census(),
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
