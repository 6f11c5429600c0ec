use super::*;
use canasta_engine::bot::Level;
use canasta_engine::deal::GameId;
use canasta_proto::v1::RoomRules;
use proptest::collection::vec;
use proptest::prelude::*;

impl JournalEntry {
    /// Returns an entry of which a test sets the fields that it is about.
    pub fn plain() -> Self {
        Self {
            kind: EntryKind::Acted,
            ends_round: false,
            game_over: false,
            offer_open: false,
            offer_stays: false,
            actor: As::Table,
            time_ms: 0,
            uncharged_ms: 0,
            n: 2,
            seq: 1,
            head: [0; 32],
            settings_n: 0,
            tags: [RequestTag::default(); TAGS],
            frames: vec![0],
            state: vec![0],
            clocks: None,
        }
    }
}

fn actors() -> impl Strategy<Value = As> {
    prop_oneof![
        (0..6u8).prop_map(|seat| As::Seat(Seat(seat))),
        (0..4usize).prop_map(|role| ROLE_NUMBERS[role])
    ]
}

fn clocks() -> impl Strategy<Value = GameClock> {
    let times = (prop::option::of(0..1_000_i64), prop::option::of(1_000..i64::MAX));
    let turn = prop::option::of((1_000..=86_400_000_u64, prop::option::of(0..=10_u8)));
    let bank = prop::option::of((1_000..=604_800_000_u64, prop::option::of(0..=3_600_000_u64)));
    (times, turn, bank).prop_map(|((starts_at_ms, ends_at_ms), turn, bank)| GameClock {
        starts_at_ms,
        ends_at_ms,
        turn_ms: turn.map(|(turn, _)| turn),
        bank_ms: bank.map(|(bank, _)| bank),
        increment_ms: bank.and_then(|(_, increment)| increment),
        warnings: turn.and_then(|(_, warnings)| warnings.map(u32::from)),
    })
}

fn seat_clocks() -> impl Strategy<Value = Option<SeatClocks>> {
    let seats = vec((any::<u64>(), any::<u8>()), 1..=6);
    let turn = (0..i64::MAX, any::<u64>(), any::<(bool, bool)>());
    let at = || prop::option::of(any::<prop::sample::Index>());
    let clocks = (at(), at(), turn, seats).prop_map(
        |(running, turn, (turn_since_ms, turn_ms, (is_stopped, is_paused)), seats)| SeatClocks {
            running: running.map(|at| Seat(at.index(seats.len()) as u8)),
            turn: turn.map(|at| Seat(at.index(seats.len()) as u8)),
            is_stopped,
            is_paused,
            turn_since_ms,
            turn_ms,
            seats: seats.into_iter().map(|(bank_ms, warnings)| SeatTime { bank_ms, warnings }).collect(),
        },
    );
    prop::option::of(clocks)
}

fn links() -> impl Strategy<Value = Vec<GivenLink>> {
    let link = (any::<i64>(), actors(), any::<bool>(), any::<bool>());
    prop::collection::btree_map(any::<[u8; 16]>(), link, 0..4).prop_map(|links| {
        let given = |(token_id, (expires_at_ms, actor, is_host, is_revoked))| GivenLink {
            token_id,
            expires_at_ms,
            actor,
            is_host,
            is_revoked,
        };
        links.into_iter().map(given).collect()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let rules = prop::sample::select(vec![TakeBackRule::Never, TakeBackRule::Unseen, TakeBackRule::Agreed]);
    let bots = prop::array::uniform6(0..=6u32);
    let switches = any::<(bool, bool, bool)>();
    let tables = prop::collection::btree_set(any::<[u8; 16]>(), 1..4);
    let boards = prop::option::of((vec(any::<u8>(), 0..100), tables));
    let rooms = prop::option::of((0..1_u64 << 40, 1..7u8));
    ("[a-zA-Z0-9 äß♣]{0,16}", clocks(), rules, bots, links(), (switches, boards, rooms)).prop_map(
        |(
            label,
            clock,
            take_backs,
            levels,
            links,
            ((auto_table, is_room, waits_for_opening), board, room),
        )| {
            let board = board.map(|(sealed, tables)| PlayedBoard {
                sealed,
                tables: tables.into_iter().map(GameId).collect(),
            });
            let mut bots = SeatedBots::default();
            (0..).map(Seat).zip(levels).for_each(|(seat, level)| bots.set(seat, Level::new(level)));
            let name = String::from("Ann");
            let room = room.map(|(number, seats)| RoomState::new(number, RoomRules::default(), seats, name));
            let room = room.map(Box::new);
            Settings {
                label,
                clock,
                take_backs,
                auto_table,
                bots,
                links,
                is_room,
                waits_for_opening,
                board,
                room,
            }
        },
    )
}

fn offered() -> impl Strategy<Value = Offered> {
    prop_oneof![any::<u64>().prop_map(Offered::TakeBack), Just(Offered::Stop), Just(Offered::Resign)]
}

/// Returns entries of every kind; their fields fit each other.
fn entries() -> impl Strategy<Value = JournalEntry> {
    let kind = prop_oneof![
        settings().prop_map(EntryKind::Created),
        Just(EntryKind::Acted),
        Just(EntryKind::TakenBack),
        (offered(), 0..6u8, any::<u8>()).prop_map(|(what, by, agreed)| EntryKind::Offer(Offer {
            what,
            by: Seat(by),
            agreed
        })),
        Just(EntryKind::Clock),
        Just(EntryKind::Declined),
        settings().prop_map(EntryKind::Settings),
    ];
    let actor = actors();
    let place = (1..u64::MAX, any::<u64>(), any::<u64>(), any::<[u8; 32]>());
    let rest = (any::<[[u8; 8]; 4]>(), vec(any::<u8>(), 1..300), vec(any::<u8>(), 1..300), seat_clocks());
    (kind, any::<[bool; 4]>(), actor, (0..i64::MAX, any::<u32>()), place, rest).prop_map(
        |(kind, flags, actor, (time_ms, uncharged_ms), (n, seq, settings_n, head), rest)| {
            let (tags, frames, state, clocks) = rest;
            let [ends_round, game_over, offer_open, stays] = flags;
            let has_settings = matches!(kind, EntryKind::Created(_) | EntryKind::Settings(_));
            let settings_n = if has_settings { n } else { settings_n % n };
            let (seq, tags) = (seq % n, tags.map(RequestTag));
            JournalEntry {
                kind,
                ends_round,
                game_over,
                offer_open,
                offer_stays: offer_open && stays,
                actor,
                time_ms,
                uncharged_ms,
                n,
                seq,
                head,
                settings_n,
                tags,
                frames,
                state,
                clocks,
            }
        },
    )
}

proptest! {
    #[test]
    fn an_entry_is_read_as_it_was_written(entry in entries()) {
        let encoded = entry.encode().expect("fields that fit");
        prop_assert_eq!((encoded.n, encoded.head), (entry.n, entry.head));
        prop_assert_eq!(JournalEntry::decode(&encoded.bytes).expect("our own bytes"), entry);
    }

    /// Checks that bytes with a correct hash are either refused, or the one encoding of what they are read as.
    #[test]
    fn bytes_have_one_reading(entry in entries(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = entry.encode().expect("fields that fit").bytes.to_vec();
        bytes.truncate(bytes.len() - HASH);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.extend(hash(&bytes));
        if let Ok(read) = JournalEntry::decode(&bytes) {
            let encoded = read.encode().expect("it was read");
            prop_assert_eq!(&encoded.bytes[..], &bytes[..]);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..400)) {
        prop_assert!(JournalEntry::decode(&bytes).is_err(), "a hash of 8 bytes does not fit by chance");
    }
}

/// Returns an entry with every kind of field filled.
fn sample() -> JournalEntry {
    JournalEntry {
        kind: EntryKind::Created(Settings { label: "table 7".into(), ..Default::default() }),
        ends_round: false,
        game_over: false,
        offer_open: false,
        offer_stays: false,
        actor: As::Table,
        time_ms: 1_700_000_000_000,
        uncharged_ms: 0,
        n: 1,
        seq: 0,
        head: [7; 32],
        settings_n: 1,
        tags: [RequestTag([1; 8]), RequestTag([2; 8]), RequestTag::default(), RequestTag::default()],
        frames: vec![3; 9],
        state: vec![4; 5],
        clocks: None,
    }
}

/// Compares every byte with the layout that the module's page describes, written by hand.
#[test]
fn the_layout_is_the_one_of_the_page() {
    let mut expected = vec![0x63, 0x52, 0x45, 0x01, 0, 0, 17, 0];
    expected.extend([0, 0, 0x01, 0x8b, 0xcf, 0xe5, 0x68, 0, 0, 0, 0, 0]);
    expected.extend([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend([7; 32]);
    expected.extend([0, 0, 0, 0, 0, 0, 0, 1]);
    expected.extend([[1; 8], [2; 8], [0; 8], [0; 8]].concat());
    expected.extend([0, 0, 0, 9, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 5, 4, 4, 4, 4, 4]);
    expected.extend([0, 10, 1, 0, 7]);
    expected.extend(b"table 7");
    expected.extend([0, 0]);
    let bytes = sample().encode().expect("fields that fit").bytes;
    let (body, end) = bytes.split_last_chunk::<HASH>().expect("a hash");
    assert_eq!(body, expected);
    // SHA-256 of the prefix and the bytes above, by Python's hashlib.
    assert_eq!(base16(end), HASH_OF_SAMPLE);
}

const HASH_OF_SAMPLE: &str = "ca26f8b0aabefd35";

fn base16(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = sample().encode().expect("fields that fit").bytes;
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(JournalEntry::decode(&flipped).is_err(), "bit {bit}");
    }
    for length in 0..bytes.len() {
        assert!(JournalEntry::decode(&bytes[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn lengths_are_checked_before_they_are_believed() {
    let whole = sample().encode().expect("fields that fit").bytes.to_vec();
    let frames_at = 108;
    for length in [10, 1 << 20, u32::MAX] {
        let mut bytes = whole[..whole.len() - HASH].to_vec();
        bytes[frames_at..frames_at + 4].copy_from_slice(&length.to_be_bytes());
        bytes.extend(hash(&bytes));
        assert!(JournalEntry::decode(&bytes).is_err(), "{length}");
    }
    let mut entry = sample();
    entry.state = vec![0; ENTRY_BYTES_MAX];
    assert!(matches!(entry.encode(), Err(EntryError::TooLong(_))));
    entry.state.truncate(ENTRY_BYTES_MAX - (whole.len() - 5));
    assert_eq!(entry.encode().map(|encoded| encoded.bytes.len()), Ok(ENTRY_BYTES_MAX));
    assert_eq!(
        JournalEntry::decode(&vec![0; ENTRY_BYTES_MAX + 1]),
        Err(EntryError::TooLong(ENTRY_BYTES_MAX + 1))
    );
}

#[test]
fn fields_that_contradict_each_other_are_not_written() {
    type Change = fn(&mut JournalEntry);
    let table: [(Change, &str); 6] = [
        (|entry| entry.seq = 2, "seq"),
        (|entry| entry.settings_n = 0, "settings_n"),
        (|entry| entry.kind = EntryKind::Acted, "settings_n"),
        (|entry| entry.frames.clear(), "frames"),
        (|entry| entry.time_ms = -1, "time_ms"),
        (|entry| entry.kind = EntryKind::Created(labelled("a\nb")), "label"),
    ];
    for (change, field) in table {
        let mut entry = sample();
        change(&mut entry);
        assert_eq!(entry.encode(), Err(EntryError::Field(field)));
    }
}

fn labelled(label: &str) -> Settings {
    Settings { label: label.into(), ..Default::default() }
}

/// Checks the ranges of limits, by the comments of the interface's message `Clock`.
#[test]
fn limits_out_of_range_are_not_written() {
    let none = GameClock::default();
    let wrong = [
        GameClock { starts_at_ms: Some(-1), ..none },
        GameClock { starts_at_ms: Some(5), ends_at_ms: Some(5), ..none },
        GameClock { turn_ms: Some(999), ..none },
        GameClock { turn_ms: Some(86_400_001), ..none },
        GameClock { bank_ms: Some(604_800_001), ..none },
        GameClock { increment_ms: Some(1), ..none },
        GameClock { bank_ms: Some(1_000), increment_ms: Some(3_600_001), ..none },
        GameClock { warnings: Some(1), ..none },
        GameClock { turn_ms: Some(1_000), warnings: Some(11), ..none },
    ];
    for clock in wrong {
        let mut entry = sample();
        entry.kind = EntryKind::Created(Settings { clock, ..Default::default() });
        assert_eq!(entry.encode(), Err(EntryError::Field("clock")), "{clock:?}");
    }
    let link = |id| GivenLink {
        token_id: [id; 16],
        expires_at_ms: 1,
        actor: As::Table,
        is_host: false,
        is_revoked: false,
    };
    let mut entry = sample();
    entry.kind = EntryKind::Created(Settings { links: vec![link(1), link(1)], ..Default::default() });
    assert_eq!(entry.encode(), Err(EntryError::Field("links")));
}

/// Compares tags with SHA-256 of the bytes, by Python's hashlib.
#[test]
fn a_tag_tells_actors_and_ids_apart() {
    let tag = RequestTag::of(As::Seat(Seat(2)), &[9; 16]);
    assert_eq!(base16(&tag.0), "6ccb9b2fcfad3f22");
    for other in [RequestTag::of(As::Seat(Seat(3)), &[9; 16]), RequestTag::of(As::Seat(Seat(2)), &[8; 16])] {
        assert_ne!(tag, other);
    }
}
