//! The invariants that are about going out.

use super::{ensure, none};
use crate::check::{Requirement, may_be_stranded, may_go_out, missing_to_go_out, must_go_out};
use crate::rejection::Field;
use crate::rules::AskCheck;
use crate::table::{Found, Permission, Phase, SentencePart, Table, say};
use crate::violations::Code;
use crate::way_out;

/// Tests that a question is open exactly while an answer is waited for, or was when a ruling ended the round.
pub(super) fn question_fits(table: &Table) -> Result<(), Found> {
    let pending = table.pending().is_some();
    // CL-086: no seat may ask before the draw.
    let early =
        matches!(table.phase, Phase::Start | Phase::Taking) && table.turn.permission != Permission::None;
    let asked = table.phase == Phase::Asked || pending && table.is_cut_off();
    ensure(pending == asked, || match pending {
        true => say!("CL-087"; "a question is open, and play is said to go on"),
        false => say!("CL-087"; "an answer is waited for, and no question is open"),
    })?;
    ensure(!early, || say!(Code::AskTooLate.entry().row(); table.turn.seat, " has asked before the draw"))
}

/// Tests that an only card can be played (CL-084): it cannot stay, except by a pass or by taking cards back.
pub(super) fn last_card_may_go(table: &Table) -> Result<(), Found> {
    let seat = table.turn.seat;
    let back = table.set().pass_discard || !table.turn.loose.is_empty();
    if table.phase != Phase::Play || table.hand(seat).len() != 1 || back {
        return Ok(());
    }
    let canastas = table.canastas(table.side_of(seat));
    let waits = !table.foot(seat).is_empty();
    let other_end = table.turn.no_discard || waits || may_be_stranded(table);
    let stays = !may_go_out(table, canastas) && !other_end;
    let last = |needed: Requirement| {
        let row = needed.violation(Field::Action);
        let one = " has one card left in its turn and cannot keep it; going out needs ";
        match needed.kind() {
            Some(kind) => {
                let side = table.side_of(seat);
                let has = if needed.has == 0 { "none".into() } else { SentencePart::from(needed.has) };
                say!(row; seat, one, needed.needs, " ", kind, "{|s}, and ", side, " has ", has)
            }
            None => {
                say!(row; seat, " has one card left in its turn and cannot keep it; ", needed.code.entry().summary)
            }
        }
    };
    none(stays.then(|| missing_to_go_out(table, table.turn.seat, canastas)).into_iter().flatten().map(last))
}

/// Tests that "yes, but unable" (AMB-16) cannot arise in rule sets that check questions.
pub(super) fn asker_can_go_out(table: &Table) -> Result<(), Found> {
    let playing = matches!(table.phase, Phase::Play | Phase::Asked);
    let pending = matches!(table.turn.permission, Permission::Pending { .. })
        && table.set().ask_check == AskCheck::Strict;
    // Loose cards can be taken back.
    let fixed = table.turn.loose.is_empty();
    let stuck = playing
        && fixed
        && (pending || must_go_out(table))
        && way_out::is_ruled_out(&way_out::Reach::of(table));
    ensure(!stuck, || {
        let (seat, hand) = (table.turn.seat, *table.hand(table.turn.seat));
        say!(Code::AskCannotGoOut.entry().row(); seat, " has asked or must go out, and cannot go out with ", hand)
    })
}

#[cfg(test)]
mod tests {
    use crate::invariant::{check_all, check_without_search};
    use crate::notation::Position;
    use crate::pack::bits::{BitReader, BitWriter};
    use crate::pack::{read, write};
    use crate::table::Table;
    use alloc::format;
    use alloc::vec::Vec;

    /// Checks that a packed table is read without a search: a forged one, in which the seat that must go out cannot, is
    /// read as it stands. Only a setup is searched.
    #[test]
    fn no_packed_table_is_searched() {
        for asks in ["answered yes", "asked S"] {
            let text = format!(
                "classic-4p; to move N; drew; {asks}; hand N Kd 4c 5c; melds NS 7s7c7d7h7s7c7d / KsKhKc"
            );
            let setup = Position::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}")).setup();
            let forged = setup.clone().build();
            assert!(setup.into_table().is_err(), "{text}");
            assert!(check_all(&forged).is_err() && check_without_search(&forged) == Ok(()), "{text}");

            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            write(&forged, |_| {}, &mut writer);
            writer.finish();
            let reader = BitReader::new(&bytes);
            let mut table = Table::blank(forged.rules.clone(), forged.phase);
            read(&mut table, false, |_| Ok(()), reader).expect("a table");
            assert_eq!(table, forged, "{text}");
        }
    }
}
