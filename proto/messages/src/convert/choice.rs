//! Choices, whose values have a table in the engine. The number of a value in messages is its place in the table + 1.

use canasta_engine::log::codes;

use super::field::{Read, fault, missing};

/// Returns the number of a value in messages.
pub fn write<T: PartialEq>(table: &[(T, &str)], value: T) -> i32 {
    1 + i32::from(codes::number(table, value))
}

/// Reads a value of the table; 0 counts as missing.
pub fn read<T: Copy>(number: i32, table: &[(T, &str)]) -> Read<T> {
    if number == 0 {
        return Err(missing());
    }
    let place = u8::try_from(i64::from(number) - 1).ok();
    let value = place.and_then(|place| codes::from_number(table, place));
    value.ok_or_else(|| fault(format!("{number} is not a value of this enum")))
}

#[cfg(test)]
mod tests {
    use canasta_engine::log::codes::*;
    use canasta_engine::rules::KNOBS;
    use canasta_engine::table::{Phase, Source};
    use canasta_engine::violations::ALL;
    use canasta_proto::v1 as pb;

    use super::*;

    /// Checks that a table has the words of an enum of the interface, in the order of its numbers, and no others.
    fn check<T: Copy + PartialEq + std::fmt::Debug>(
        table: &[(T, &str)],
        prefix: &str,
        name: impl Fn(i32) -> Option<&'static str>,
    ) {
        for &(value, word) in table {
            let number = write(table, value);
            assert_eq!(name(number), Some(&*format!("{prefix}_{}", word.to_uppercase())));
            assert_eq!(read(number, table).ok(), Some(value));
        }
        let next = table.len() as i32 + 1;
        assert_eq!(name(next), None, "{prefix}");
        assert!([0, next, -1, i32::MIN, i32::MAX, 257].iter().all(|&number| read(number, table).is_err()));
    }

    /// Checks that each value of an enum of the engine has the number and the name of the interface, which has one more
    /// for none.
    #[test]
    fn numbers_are_those_of_the_engine() {
        use Phase::*;
        for phase in [Setup, Deal, Start, Play, Asked, RoundOver, GameOver, Taking] {
            let written = pb::Phase::try_from(phase as i32 + 1).expect("a phase");
            assert_eq!(format!("{written:?}"), format!("{phase:?}"));
        }
        for source in [Source::Stock, Source::Pile, Source::TopOnly] {
            let written = pb::Source::try_from(source as i32).expect("a source");
            assert_eq!(format!("{written:?}"), format!("{source:?}"));
        }
        for knob in KNOBS.iter() {
            let written = pb::KnobForm::try_from(knob.form as i32 + 1).expect("a form");
            assert_eq!(format!("{written:?}"), format!("{:?}", knob.form));
        }
        for row in ALL.iter().flat_map(|entry| entry.facts) {
            let written = pb::FactType::try_from(row.kind as i32 + 1).expect("a type");
            assert_eq!(format!("{written:?}").replace("Number", "Int"), format!("{:?}", row.kind));
        }
    }

    #[test]
    fn tables_are_the_enums_of_the_interface() {
        check(&MELD_KINDS, "MELD_KIND", |n| pb::MeldKind::try_from(n).ok().map(|e| e.as_str_name()));
        check(&ABOUTS, "ABOUT", |n| pb::About::try_from(n).ok().map(|e| e.as_str_name()));
        check(&SPECIAL_HANDS, "SPECIAL_HAND", |n| pb::SpecialHand::try_from(n).ok().map(|e| e.as_str_name()));
        check(&AUTHORITIES, "AUTHORITY", |n| pb::Authority::try_from(n).ok().map(|e| e.as_str_name()));
        check(&END_REASONS, "ROUND_END_REASON", |n| {
            pb::RoundEndReason::try_from(n).ok().map(|e| e.as_str_name())
        });
        check(&GRADES, "GRADE", |n| pb::Grade::try_from(n).ok().map(|e| e.as_str_name()));
        check(&FREEZE_CAUSES, "FREEZE_CAUSE", |n| pb::FreezeCause::try_from(n).ok().map(|e| e.as_str_name()));
    }
}
