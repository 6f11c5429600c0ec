//! Arbitrary records, for the properties that every record must have.
//!
//! Kinds of actions, effects and records are boxed: a choice among them by value is larger than a test's stack.

use canasta_engine::action::*;
use canasta_engine::card::Card;
use canasta_engine::log::Record;
use canasta_engine::log::codes::*;
use canasta_engine::log::record::*;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::POINTS_MAX;
use proptest::array::{uniform, uniform8, uniform16, uniform32};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn one<T: Copy + std::fmt::Debug + 'static>(table: &'static [(T, &'static str)]) -> impl Strategy<Value = T> {
    (0..table.len()).prop_map(|at| table[at].0)
}

fn seat() -> impl Strategy<Value = Seat> {
    (0u8..6).prop_map(Seat)
}

fn side() -> impl Strategy<Value = Side> {
    (0u8..6).prop_map(Side)
}

fn card() -> impl Strategy<Value = Card> {
    (0u8..53).prop_map(|kind| Card::from_kind(kind).expect("a kind"))
}

fn card_list() -> impl Strategy<Value = CardList> {
    prop_oneof![9 => vec(card(), 0..12), 1 => vec(card(), 0..=324)].prop_map(Into::into)
}

fn some_cards() -> impl Strategy<Value = Vec<Option<Card>>> {
    vec(of(card()), 0..30)
}

fn wide() -> impl Strategy<Value = [u8; 64]> {
    uniform::<_, 64>(any::<u8>())
}

fn masked() -> impl Strategy<Value = Vec<u8>> {
    (1usize..4).prop_flat_map(|blocks| vec(any::<u8>(), 16 + 64 * blocks))
}

fn name() -> impl Strategy<Value = String> {
    "[^\\p{Cc}\\p{Bidi_Control}]{1,16}"
}

fn time() -> impl Strategy<Value = i64> {
    -62_167_219_200_000i64..=253_402_300_799_999
}

fn onto() -> impl Strategy<Value = Onto> {
    let meld = (of(side()), any::<u8>()).prop_map(|(side, id)| Onto::Meld { side, id: MeldId(id) });
    prop_oneof![Just(Onto::Auto), Just(Onto::New), meld]
}

fn groups() -> impl Strategy<Value = Groups> {
    let group = (one(&MELD_KINDS), onto(), any::<bool>(), card_list())
        .prop_map(|(kind, onto, top, cards)| Group { kind, onto, top, cards })
        .boxed();
    let count = prop_oneof![9 => 0usize..4, 1 => 0usize..=128];
    (count, Just(group)).prop_flat_map(|(count, group)| vec(group, count)).prop_map(Into::into)
}

fn deal() -> BoxedStrategy<Action> {
    (
        (of(any::<u16>()), of(any::<u16>())),
        vec(of(uniform32(any::<u8>())), 0..=6),
        of(vec(any::<u8>(), 0..=96)),
        vec(some_cards(), 0..=6),
        some_cards(),
    )
        .prop_map(|((lifted, foot_lifted), contributions, signature, hands, upcards)| {
            let deal = Deal { lifted, foot_lifted, contributions, signature, hands, upcards };
            Action::Deal(Box::new(deal))
        })
        .boxed()
}

fn plain_action() -> BoxedStrategy<Action> {
    prop_oneof![
        deal(),
        vec(card_list(), 0..=6).prop_map(Action::DrawCards),
        (card_list(), onto(), groups()).prop_map(|(with, onto, also)| Action::TakePile(TakePile {
            with,
            onto,
            also
        })),
        card_list().prop_map(Action::LayThrees),
        groups().prop_map(Action::Meld),
        any::<[u8; 2]>().prop_map(|[a, b]| Action::MergeMelds { a: MeldId(a), b: MeldId(b) }),
        (any::<u8>(), card_list()).prop_map(|(id, cards)| Action::UndoMeld { meld: MeldId(id), cards }),
        (one(&ABOUTS), of(seat())).prop_map(|(about, to)| Action::Ask { about, to, with: None }),
        (of(seat()), groups(), of(card())).prop_map(|(to, groups, discard)| Action::Ask {
            about: About::GoOut,
            to,
            with: Some(NamedWay { groups, discard }.into()),
        }),
        any::<bool>().prop_map(|yes| Action::Answer { yes }),
        one(&SPECIAL_HANDS).prop_map(Action::SpecialHand),
        card().prop_map(Action::Discard),
        seat().prop_map(|of| Action::CallReveal { of }),
        (any::<bool>(), "\\PC{0,200}").prop_map(|(open, reason)| Action::Dispute { open, reason }),
        side().prop_map(|side| Action::Sign { side }),
        prop_oneof![
            Just(Action::DrawStock),
            Just(Action::TakeTop),
            Just(Action::RestorePile),
            Just(Action::TakeTalon),
            Just(Action::Pass),
            Just(Action::EndRound),
        ],
    ]
    .boxed()
}

fn effect() -> BoxedStrategy<Effect> {
    let position = prop_oneof![
        Just((None, false)),
        masked().prop_map(|bytes| (Some(bytes), true)),
        ".{0,100}".prop_map(|text| (Some(text.into_bytes()), false)),
    ];
    (
        (one(&EFFECTS), of(any::<i32>()), of(seat()), card_list(), of(any::<u16>())),
        (of(side()), of(any::<i32>()), of(any::<u64>()), of(plain_action()), position),
    )
        .prop_map(|((kind, by, seat, cards, until), (side, award, to_seq, action, (position, masked)))| {
            let action = action.map(Box::new);
            let points = vec![];
            Effect { kind, by, seat, cards, until, side, award, to_seq, action, position, masked, points }
        })
        .boxed()
}

/// Returns a strategy for an effect; one in eight changes points by side, which no other effect may.
fn any_effect() -> impl Strategy<Value = Effect> {
    let points = vec(-POINTS_MAX..=POINTS_MAX, 0..=6);
    let adjust = points.prop_map(|points| Effect { points, ..Effect::of(EffectKind::Adjust) });
    prop_oneof![7 => effect(), 1 => adjust]
}

/// Returns a strategy for any action that a log can hold.
pub fn action() -> BoxedStrategy<Action> {
    let ruling = (
        (any::<u32>(), one(&AUTHORITIES), of(seat()), side(), ".{0,8}"),
        (any::<i32>(), any_effect(), ".{0,200}", of(any::<u32>()), of(wide())),
    )
        .prop_map(|((id, by, offender, side, rule), (points, effect, reason, reverses, signature))| {
            let ruling = Ruling { id, by, offender, side, rule, points, effect, reason, reverses, signature };
            Action::Ruling(Box::new(ruling))
        });
    prop_oneof![5 => plain_action(), 1 => ruling].boxed()
}

fn genesis() -> BoxedStrategy<Record> {
    let player = (name(), of(uniform32(any::<u8>()))).prop_map(|(name, key)| Player { name, key });
    let fork = (uniform16(any::<u8>()), any::<u64>(), uniform32(any::<u8>()))
        .prop_map(|(game_id, n, head)| Fork { game_id, n, head });
    (
        (uniform16(any::<u8>()), name(), name(), ".{0,300}", vec(player, 1..=6)),
        (one(&DEAL_MODES), one(&REGISTRATIONS), of(uniform32(any::<u8>())), "[ -~]{1,32}"),
        (of(time()), of(fork), of(uniform32(any::<u8>())), of(1u16..)),
    )
        .prop_map(|(first, (mode, registration, commitment, engine), last)| {
            let (started_at_ms, fork_of, director, penalties) = last;
            let (game_id, rule_set_id, base, rule_set, players) = first;
            let rule_set = rule_set.into_bytes();
            Record::Genesis(Box::new(Genesis {
                game_id,
                rule_set_id,
                base,
                rule_set,
                players,
                mode,
                registration,
                commitment,
                engine,
                started_at_ms,
                fork_of,
                director,
                penalties,
            }))
        })
        .boxed()
}

fn register() -> BoxedStrategy<Record> {
    let beacon = (uniform32(any::<u8>()), any::<u64>(), time()).prop_map(|(chain, round, close_ms)| Beacon {
        chain,
        round,
        close_ms,
    });
    let seats = vec(of((uniform32(any::<u8>()), of(wide()))), 0..=6);
    (any::<u32>(), any::<u32>(), of(seat()), of(uniform32(any::<u8>())), seats, of(beacon))
        .prop_map(|(round, attempt, dealer, commitment, given, beacon)| {
            let seats = given.iter().map(|seat| seat.map(|(entry, _)| entry)).collect();
            let mut signatures: Vec<_> =
                given.iter().map(|seat| seat.and_then(|(_, signed)| signed)).collect();
            if signatures.iter().all(Option::is_none) {
                signatures.clear();
            }
            let register = Register { round, attempt, dealer, commitment, seats, beacon, signatures };
            Record::Register(Box::new(register))
        })
        .boxed()
}

fn elapsed() -> impl Strategy<Value = Option<u64>> {
    of(prop_oneof![0u64..1000, 0..u64::MAX])
}

pub fn action_record() -> BoxedStrategy<Record> {
    (of(seat()), action(), elapsed(), of(some_cards()), of(wide()), uniform8(any::<u8>()))
        .prop_map(|(actor, action, elapsed_ms, cards, signature, digest)| {
            Record::Action(Box::new(ActionRecord { actor, action, elapsed_ms, cards, signature, digest }))
        })
        .boxed()
}

fn round_end() -> BoxedStrategy<Record> {
    let reveal = prop_oneof![
        Just(Reveal::None),
        wide().prop_map(Reveal::Secret),
        (vec(card(), 0..=324), uniform32(any::<u8>())).prop_map(|(cards, salt)| Reveal::Wall { cards, salt }),
    ];
    let line = (one(&SCORE_ITEMS), of(any::<u16>()), any::<i32>())
        .prop_map(|(item, count, points)| ScoreLine { item, count, points });
    let score = (0u8..6, vec(line, 0..=32)).prop_map(|(unit, lines)| Score { unit, lines });
    (any::<u32>(), any::<u32>(), one(&END_REASONS), reveal, vec(score, 0..=6), uniform32(any::<u8>()))
        .prop_map(|(round, attempt, reason, reveal, scores, digest)| {
            Record::RoundEnd(Box::new(RoundEnd { round, attempt, reason, reveal, scores, digest }))
        })
        .boxed()
}

fn refusal() -> BoxedStrategy<Record> {
    let attempt = prop_oneof![
        action().prop_map(Attempt::Clear),
        ((0..ActionKind::ALL.len()), masked())
            .prop_map(|(at, bytes)| Attempt::Masked { kind: ActionKind::ALL[at], bytes }),
    ];
    (of(seat()), elapsed(), vec("[A-Z0-9_]{1,48}", 1..9), attempt)
        .prop_map(|(actor, elapsed_ms, codes, attempt)| {
            Record::Refusal(Box::new(Refusal { actor, elapsed_ms, codes, attempt }))
        })
        .boxed()
}

fn note() -> impl Strategy<Value = Record> {
    let by = prop_oneof![seat().prop_map(Author::Seat), Just(Author::Table), Just(Author::Director)];
    (by, elapsed(), "(?s).{0,300}")
        .prop_map(|(by, elapsed_ms, text)| Record::Remark(Remark::note(by, elapsed_ms, text)))
}

/// Returns a strategy for any record that a log can hold.
pub fn record() -> BoxedStrategy<Record> {
    let game_end =
        (of(0u8..6), of(wide())).prop_map(|(winner, secret)| Record::GameEnd(GameEnd { winner, secret }));
    prop_oneof![
        1 => genesis(),
        1 => register(),
        4 => action_record(),
        1 => round_end(),
        1 => game_end,
        1 => refusal(),
        1 => note(),
        1 => "(?s).{0,300}".prop_map(|text| Record::Remark(Remark::checkpoint(text))),
    ]
    .boxed()
}
