//! The examples of the violations' pages, played: the position of each is set up, its action is refused with exactly
//! the named codes, and the action that is still allowed is legal.

use canasta_engine::action::As;
use canasta_engine::check::check;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::table::Table;
use canasta_engine::violations::{ALL, Example};

/// Pages whose example needs something that the engine does not play yet, with the reason. A page whose example can
/// be played may not stand here.
const LATER: &[(&str, &str)] = &[
    ("GAME_CLOCK", "the clock of the event layer"),
    ("SETUP_KNOBS", "an action of create-game"),
    ("SETUP_PLAYER_COUNT", "an action of create-game"),
    ("SETUP_SIDES", "an action of create-game"),
    ("SETUP_DECK", "an action of create-game"),
    ("SETUP_DEALER", "registers by the table"),
    ("EVENT_REPEAT_OPPONENTS", "the event layer"),
];

/// Returns whether the engine plays the preset of the example; `None` if the example names no preset.
fn is_played(example: &Example) -> Option<bool> {
    let name = example.position.split([' ', ';']).next()?;
    PresetId::from_name(name)?;
    Some(Rules::preset(name).is_some())
}

fn state(example: &Example) -> Result<Table, String> {
    let position = Position::parse(example.position).map_err(|error| error.to_string())?;
    position.setup().into_table().map_err(|faults| format!("{faults:?}"))
}

/// Returns the codes of the refusal; an empty text if the action is legal.
fn judge(state: &Table, text: &str) -> Result<String, String> {
    let proposal = Proposal::parse(text, state.set()).map_err(|error| error.to_string())?;
    let actor = proposal.actor.or_else(|| state.to_act().map(As::Seat)).unwrap_or(As::Table);
    match check(state, actor, &proposal.action) {
        Ok(_) => Ok(String::new()),
        Err(rejection) => Ok(rejection.codes().iter().map(|c| c.name()).collect::<Vec<_>>().join(" ")),
    }
}

fn play(example: &Example) -> Result<(), String> {
    let state = state(example)?;
    let refused = judge(&state, example.action)?;
    if refused != example.refused {
        return Err(format!("{}: expected {}, found {refused:?}", example.action, example.refused));
    }
    match example.allowed.map(|action| judge(&state, action)).transpose()? {
        Some(codes) if !codes.is_empty() => Err(format!("still allowed is refused: {codes}")),
        _ => Ok(()),
    }
}

#[test]
fn every_example_of_a_page_holds() {
    let mut failures = Vec::new();
    let (mut played, mut other_rules, mut later) = (0, 0, 0);
    for entry in ALL {
        let example = entry.example().expect("every page has an example");
        let reason = LATER.iter().find(|(name, _)| *name == entry.name).map(|(_, reason)| reason);
        match (is_played(&example), reason) {
            (Some(false), None) => other_rules += 1,
            (_, Some(reason)) if play(&example).is_ok() => {
                failures.push(format!("{}: is played, so it is no longer left out for {reason}", entry.name));
            }
            (_, Some(_)) => later += 1,
            (_, None) => match play(&example) {
                Ok(()) => played += 1,
                Err(error) => failures.push(format!("{}: {error}", entry.name)),
            },
        }
    }
    println!("{played} examples played, {other_rules} of rule sets not played yet, {later} left out");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(later, LATER.len());
}
