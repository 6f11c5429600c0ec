//! What an identity may: which games, and for whom it acts in them. Files and tokens write it alike.

use canasta_engine::action::As;
use canasta_engine::seat::{MAX_SEATS, Seat};
use serde_json::{Map, Value};

use super::Game;

/// Most games that one grant names; who needs more may have all.
const GAMES_MAX: usize = 1024;
/// The roles, and their places behind the seats.
const ROLES: [(&str, As); 3] = [("TABLE", As::Table), ("JUDGE", As::Judge), ("DIRECTOR", As::Director)];

/// Which games, and for whom in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    games: Games,
    /// A bit a seat, then a bit a role.
    whom: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Games {
    All,
    /// Ascending.
    These(Vec<[u8; 16]>),
}

impl Grant {
    /// Whether it is entitled to act for `who`.
    pub fn acts_as(&self, who: As) -> bool {
        bit(who).is_some_and(|bit| self.whom & bit != 0)
    }

    /// Whether it is entitled to this game; to a new one whose id is still to be drawn, only if to all.
    pub fn covers(&self, game: Game) -> bool {
        match (&self.games, game) {
            (Games::All, _) | (_, Game::None) => true,
            (Games::These(_), Game::New) => false,
            (Games::These(ids), Game::Of(id)) => ids.binary_search(&id.0).is_ok(),
        }
    }

    /// Whether it withholds nothing.
    pub fn is_unlimited(&self) -> bool {
        self.games == Games::All && self.whom == everyone()
    }

    /// Reads the fields `games` and `as`; `Err` names every fault by its path.
    ///
    /// # Errors
    /// If a field is missing or malformed.
    pub fn read(fields: &Map<String, Value>) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let games = games(fields.get("games"), &mut faults);
        let whom = whom(fields.get("as"), &mut faults);
        if faults.is_empty() { Ok(Self { games, whom }) } else { Err(faults) }
    }
}

fn games(value: Option<&Value>, faults: &mut Vec<String>) -> Games {
    let ids = match value {
        Some(Value::String(all)) if all == "all" => return Games::All,
        Some(Value::Array(ids)) if ids.len() <= GAMES_MAX => ids.as_slice(),
        _ => {
            faults.push(format!("games: expected \"all\" or a list of at most {GAMES_MAX} game ids"));
            &[]
        }
    };
    let mut games = Vec::with_capacity(ids.len());
    for (at, id) in ids.iter().enumerate() {
        match id.as_str().and_then(hex::<16>) {
            Some(id) => games.push(id),
            None => faults.push(format!("games[{at}]: expected a game's id, 32 hex digits")),
        }
    }
    games.sort_unstable();
    Games::These(games)
}

fn whom(value: Option<&Value>, faults: &mut Vec<String>) -> u16 {
    let list = match value {
        Some(Value::String(all)) if all == "all" => return everyone(),
        Some(Value::Array(list)) if list.len() <= MAX_SEATS + ROLES.len() => list.as_slice(),
        _ => {
            faults.push("as: expected \"all\" or a list of seats and roles".into());
            &[]
        }
    };
    let mut whom = 0;
    for (at, one) in list.iter().enumerate() {
        let role = |name: &str| ROLES.iter().find(|role| role.0 == name).map(|role| role.1);
        let seat =
            one.as_u64().filter(|&seat| seat < MAX_SEATS as u64).map(|seat| As::Seat(Seat(seat as u8)));
        match seat.or_else(|| one.as_str().and_then(role)).and_then(bit) {
            Some(bit) => whom |= bit,
            None => faults
                .push(format!("as[{at}]: expected a seat (0 to 5), \"TABLE\", \"JUDGE\" or \"DIRECTOR\"")),
        }
    }
    whom
}

fn bit(who: As) -> Option<u16> {
    let at = match who {
        As::Seat(seat) => Some(seat.index()).filter(|&seat| seat < MAX_SEATS),
        role => ROLES.iter().position(|&(_, one)| one == role).map(|at| MAX_SEATS + at),
    };
    at.map(|at| 1 << at)
}

fn everyone() -> u16 {
    (1 << (MAX_SEATS + ROLES.len())) - 1
}

/// Exactly `N` bytes, in hex digits.
pub(super) fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}
