//! Rooms under changes that anybody asks for in any order.

use canasta_engine::action::As;
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_proto::v1::change_room_request::Change;
use canasta_proto::v1::{NewCode, RoomBot, RoomRules, Seating, SitDown};
use proptest::collection::vec;
use proptest::prelude::*;
use prost::Message as _;

use super::RoomMoment;
use crate::entry::{GENERATIONS, RoomState, SeatSet};

fn room() -> RoomState {
    RoomState::new(77, RoomRules::default(), 4, "Ann".into())
}

fn changes() -> impl Strategy<Value = Change> {
    let chair = 0..5_u32;
    prop_oneof![
        4 => (chair.clone(), "[A-D]").prop_map(|(chair, name)| Change::SitDown(SitDown { chair: Some(chair), name })),
        1 => chair.clone().prop_map(Change::StandUp),
        4 => any::<bool>().prop_map(Change::Ready),
        3 => (chair, any::<bool>(), 0..8u32).prop_map(|(chair, plays, level)| {
            Change::Bot(RoomBot { chair: Some(chair), plays, level })
        }),
        1 => Just(Change::Rules(RoomRules { rule_set: "classic-4p".into(), ..RoomRules::default() })),
        1 => vec(0..5_u32, 0..6).prop_map(|seats| Change::Seating(Seating { seats })),
        1 => Just(Change::Seating(Seating { seats: vec![2, 3, 0, 1] })),
        1 => Just(Change::NewCode(NewCode {})),
    ]
}

fn actors() -> impl Strategy<Value = As> {
    prop_oneof![6 => (0..5_u8).prop_map(|chair| As::Seat(Seat(chair))), 2 => Just(As::Spectator), 1 => Just(As::Table)]
}

/// Tries each number that a code has for its room: one opens it for each chair that is taken, and one for the guests.
#[test]
fn seven_codes_open_the_largest_room() {
    let mut state = RoomState::new(77, RoomRules::default(), SEATS_MAX as u8, "Ann".into());
    assert_eq!(openers(&state), 2);
    (1..).zip(&mut state.room.chairs).for_each(|(number, chair)| chair.name = format!("Player {number}"));
    assert_eq!(openers(&state), 7);
    let change = Change::NewCode(NewCode {});
    let moment = RoomMoment { is_playing: false, end: None, there: SeatSet::default() };
    state.change(As::Seat(Seat(0)), change, &moment).expect("the host may");
    assert_eq!(openers(&state), 7, "the old code opens nothing");
}

fn openers(state: &RoomState) -> usize {
    let chairs = (0..31).map(Some).chain([None]);
    let opens = |chair: Option<u8>, generation| {
        generation == state.generation(chair) && chair.is_none_or(|chair| state.is_taken(chair))
    };
    chairs.map(|chair| (0..GENERATIONS).filter(|generation| opens(chair, *generation)).count()).sum()
}

proptest! {
    /// Makes changes, and ends the game that is played now and then. A refused change may have touched the state: the recorder
    /// makes changes to a copy.
    #[test]
    fn a_room_stays_a_room(asked in vec((actors(), changes(), any::<[bool; 4]>(), 0..4_u8), 0..120)) {
        let (mut state, mut is_playing) = (room(), false);
        for (by, change, present, ends) in asked {
            let begun = state.begun;
            let mut there = SeatSet::default();
            (0..).map(Seat).zip(present).for_each(|(seat, is_there)| there.set(seat, is_there));
            is_playing &= ends > 0;
            let mut next = state.clone();
            if next.change(by, change, &RoomMoment { is_playing, end: None, there }).is_err() {
                continue;
            }
            prop_assert!(next.is_valid());
            prop_assert_eq!(RoomState::read(&next.encode_to_vec()), Some(next.clone()));
            let host = next.room.host;
            prop_assert!(host.is_none_or(|host| next.is_taken(host as u8)));
            prop_assert_eq!(host.is_none(), (0..4).all(|chair| !next.is_taken(chair)));
            let names: Vec<_> = next.room.chairs.iter().map(|chair| &chair.name).filter(|name| !name.is_empty()).collect();
            prop_assert!((1..names.len()).all(|at| !names[..at].contains(&names[at])));
            if is_playing || next.begun > begun {
                prop_assert!(next.room.chairs.iter().all(|chair| chair.bot || !chair.name.is_empty()));
            }
            prop_assert!(next.begun == begun || !is_playing && next.begun == begun + 1);
            is_playing |= next.begun > begun;
            state = next;
        }
    }

    /// Reads whatever bytes as a state.
    #[test]
    fn no_bytes_are_read_that_are_no_state(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = room().encode_to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Some(read) = RoomState::read(&bytes) {
            prop_assert!(read.is_valid());
            prop_assert_eq!(read.encode_to_vec(), bytes);
        }
    }
}
