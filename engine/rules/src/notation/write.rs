//! The strict text of positions.

use super::position::{
    Position, Zone, is_dealt, only_mate, usual_askers, usual_dealer, usual_melders, usual_players,
    usual_upcards,
};
use super::{Names, header, sorted, write_cards};
use crate::action::MeldKind;
use crate::seat::{Seat, Side};
use crate::table::{
    Courtesy, Cut, Loose, Meld, Permission, Phase, Setup, Source, TakenTop, Talon, TalonPlace,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = PositionWriter { out: String::new(), names: Names::of(self.setup.rules.set()) };
        header::write(&self.setup.rules, &mut writer.out);
        writer.game(&self.setup);
        writer.turn(&self.setup);
        writer.round(&self.setup);
        if let Some(rulings) = &self.setup.rulings {
            super::rulings::write(rulings, &self.setup, writer.names, &mut writer.out);
        }
        writer.cards(self);
        f.write_str(&writer.out)
    }
}

struct PositionWriter {
    out: String,
    names: Names<'static>,
}

impl PositionWriter {
    fn section(&mut self, name: &str) -> &mut String {
        self.out.push_str("; ");
        self.out.push_str(name);
        &mut self.out
    }

    fn number(&mut self, name: &str, number: impl fmt::Display) {
        write!(self.section(name), " {number}").expect("a string takes all text");
    }

    fn seat(&mut self, name: &str, seat: Seat) {
        let seat = self.names.seat_name(seat);
        self.number(name, seat);
    }

    fn seats(&mut self, name: &str, seats: &[Seat]) {
        match seats {
            [] => self.number(name, '-'),
            _ => self.list(name, &seats.iter().map(|&seat| self.names.seat_name(seat)).collect::<Vec<_>>()),
        }
    }

    fn list(&mut self, name: &str, items: &[impl fmt::Display]) {
        self.section(name);
        for item in items {
            write!(self.out, " {item}").expect("a string takes all text");
        }
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.section(name);
        }
    }

    fn game(&mut self, setup: &Setup) {
        if setup.scores.iter().any(|&score| score != 0) {
            self.list("score", &setup.scores);
        }
        if setup.round != 1 {
            self.number("round", setup.round);
        }
        if setup.attempt != 1 {
            self.number("attempt", setup.attempt);
        }
        if setup.dealer != usual_dealer(setup) {
            self.seat("dealer", setup.dealer);
        }
        if setup.seating.iter().zip(0..).any(|(player, seat)| player.0 != seat) {
            self.list("seating", &setup.seating);
        }
        if let Some(lone) = setup.lone {
            self.seat("lone", lone);
        }
        if setup.cut != Cut::default() {
            self.section("cut");
            self.out.push_str(if setup.cut.hands { " hands" } else { "" });
            self.out.push_str(if setup.cut.feet { " feet" } else { "" });
        }
    }

    fn turn(&mut self, setup: &Setup) {
        self.seat("to move", setup.turn);
        match setup.source {
            Source::None => {}
            Source::Stock => _ = self.section("drew"),
            Source::Pile if setup.taken_top.is_some() => {}
            Source::Pile => _ = self.section("took"),
            Source::TopOnly => _ = self.section("took top"),
        }
        if let Some(TakenTop { card, meld }) = setup.taken_top {
            self.number("taking", card);
            if let Some(id) = meld {
                write!(self.out, " onto {}", id.0).expect("a string takes all text");
            }
        }
        self.flag("melded", setup.melded_since_draw);
        self.flag("first", setup.melded_before == Some(false));
        if let Some(id) = setup.new_from {
            self.number("began", id);
        }
        self.flag("added", setup.touched_old);
        self.flag("last three", setup.no_discard);
        if !setup.fresh.is_empty() {
            self.section("fresh").push(' ');
            write_cards(&mut self.out, sorted(&setup.fresh), " ");
        }
        if let Some(answer) = setup.answered {
            self.seat(if answer.yes { "agreed" } else { "refused" }, answer.by);
        }
        self.flag("all wild", setup.all_wild_draw);
        match setup.permission {
            Permission::None => {}
            Permission::Yes => _ = self.section("answered yes"),
            Permission::No { by } if only_mate(setup) == Some(by) => _ = self.section("answered no"),
            Permission::No { by } => self.seat("answered no", by),
            Permission::Pending { to, .. } => self.seat("asked", to),
        }
        match setup.courtesy {
            Courtesy::None => {}
            Courtesy::Asked(to) => self.seat("courtesy asked", to),
            Courtesy::Granted => _ = self.section("courtesy granted"),
            Courtesy::Refused(by) => self.seat("courtesy refused", by),
        }
    }

    fn round(&mut self, setup: &Setup) {
        if let Some(over) = setup.over {
            self.number("round over", over.reason.name());
            if let Some(seat) = over.seat {
                self.out.push(' ');
                self.out.push_str(&self.names.seat_name(seat));
            }
            if over.concealed {
                self.out.push_str(" concealed");
            }
        }
        match setup.phase {
            Phase::Setup => _ = self.section("to register"),
            Phase::Deal => _ = self.section("to deal"),
            Phase::GameOver => _ = self.section("game over"),
            _ => {}
        }
        if let Some(hand) = setup.special {
            self.number("special", hand.name());
        }
        if let Some(seat) = setup.offered {
            self.seat("talon for", seat);
        }
        if let Some(seat) = setup.reveal {
            self.seat("to show", seat);
        }
        if !setup.courteous.is_empty() {
            self.seats("may still meld", &setup.courteous);
        }
        if setup.has_melded != usual_melders(setup) {
            self.seats("has melded", &setup.has_melded);
        }
        if setup.asked != usual_askers(setup) {
            self.seats("has asked", &setup.asked);
        }
        if setup.restores.iter().any(|&restores| restores > 0) {
            self.list("restores", &setup.restores);
        }
        if setup.next_id.iter().any(|&next| next > 0) {
            self.list("next ids", &setup.next_id);
        }
        if setup.played != usual_players(setup) {
            self.seats("has played", &setup.played);
        }
    }

    fn cards(&mut self, position: &Position) {
        let setup = &position.setup;
        let feet = setup.feet.iter().zip(&position.feet).zip(setup.rules.set().feet());
        let (in_play, waiting): (Vec<_>, Vec<_>) =
            feet.partition(|((foot, zone), _)| foot.is_empty() && **zone == Zone::Named);
        let mut in_play: Vec<Seat> = in_play.into_iter().map(|(_, (seat, _))| seat).collect();
        in_play.sort_unstable();
        if is_dealt(setup.phase) && !in_play.is_empty() {
            self.seats("on foot", &in_play);
        }
        for (i, (cards, &zone)) in setup.hands.iter().zip(&position.hands).enumerate() {
            // If no cards are dealt, an empty hand need not be written.
            if is_dealt(setup.phase) || !cards.is_empty() {
                let name = alloc::format!("hand {}", self.names.seat_name(Seat(i as u8)));
                self.zone(&name, zone, &sorted(cards));
            }
        }
        for ((foot, &zone), (seat, _)) in waiting {
            let name = alloc::format!("foot {}", self.names.seat_name(seat));
            self.zone(&name, zone, &sorted(foot));
        }
        for (i, cards) in setup.laid.iter().enumerate().filter(|(_, cards)| !cards.is_empty()) {
            let name = alloc::format!("laid {}", self.names.seat_name(Seat(i as u8)));
            self.zone(&name, Zone::Named, &sorted(cards));
        }
        for (i, talon) in setup.talons.iter().enumerate() {
            self.talon(i, talon);
        }
        if let Some(card) = setup.face_down {
            self.zone("face down", Zone::Named, &[card]);
        }
        for side in (0..setup.rules.set().side_count).map(Side) {
            self.melds(side, setup);
        }
        for (i, Loose { meld, cards }) in setup.loose.iter().enumerate() {
            let head = if i == 0 { self.section("loose") } else { &mut self.out };
            write!(head, "{} {}:", if i == 0 { "" } else { " /" }, meld.0).expect("a string takes all text");
            write_cards(&mut self.out, sorted(cards), "");
        }
        if is_dealt(setup.phase) || !setup.pile.is_empty() {
            self.pile(position);
        }
        if setup.start_len != usual_upcards(setup) {
            self.number("upcards", setup.start_len);
        }
        if is_dealt(setup.phase) || !setup.stock.is_empty() {
            let top_first: Vec<_> = setup.stock.iter().rev().copied().collect();
            self.zone("stock", position.stock, &top_first);
        }
    }

    fn talon(&mut self, number: usize, talon: &Talon) {
        let place = match talon.place {
            TalonPlace::Centre => String::from("centre"),
            TalonPlace::Used => String::from("used"),
            TalonPlace::Before(seat) => self.names.seat_name(seat),
        };
        self.number("talon", alloc::format!("{number} {place}"));
        if !talon.cards.is_empty() {
            self.out.push(' ');
            write_cards(&mut self.out, talon.cards.iter().copied(), " ");
        }
    }

    fn pile(&mut self, position: &Position) {
        if position.pile_unknown.is_empty() {
            return self.zone("pile", position.pile, &position.setup.pile);
        }
        let mut known = position.setup.pile.iter();
        let places = 0..(position.setup.pile.len() + position.pile_unknown.len()) as u16;
        self.section("pile");
        for place in places {
            match known.as_slice().first().filter(|_| !position.pile_unknown.contains(&place)) {
                Some(card) => {
                    write!(self.out, " {card}").expect("a string takes all text");
                    known.next();
                }
                None => self.out.push_str(" ??"),
            }
        }
    }

    fn zone(&mut self, name: &str, zone: Zone, cards: &[crate::card::Card]) {
        match zone {
            Zone::Unsaid => {}
            Zone::Count(count) => self.number(name, count),
            Zone::Partly(count) => {
                self.section(name).push(' ');
                write_cards(&mut self.out, cards.iter().copied(), " ");
                self.out.push_str(&" ??".repeat(count.into()));
            }
            Zone::Named if cards.is_empty() => self.number(name, '-'),
            Zone::Named => {
                self.section(name).push(' ');
                write_cards(&mut self.out, cards.iter().copied(), " ");
            }
        }
    }

    fn melds(&mut self, side: Side, setup: &Setup) {
        let mut next = 0;
        for (i, meld) in setup.melds.iter().filter(|m| m.side == side).enumerate() {
            if i == 0 {
                let side = self.names.side_name(side);
                self.number("melds", side);
            }
            self.out.push_str(if i == 0 { " " } else { " / " });
            if meld.id.0 != next {
                write!(self.out, "{}:", meld.id.0).expect("a string takes all text");
            }
            next = meld.id.0.wrapping_add(1);
            write_cards(&mut self.out, meld_order(meld), "");
        }
    }
}

/// Returns the cards in the order of writing: naturals before wilds; a sequence from its low end.
fn meld_order(meld: &Meld) -> Vec<crate::card::Card> {
    let mut cards = sorted(&meld.cards);
    if meld.kind == MeldKind::Sequence {
        cards.reverse();
    }
    cards
}
