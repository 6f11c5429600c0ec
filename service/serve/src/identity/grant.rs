//! The rights of an identity: its games, and the seats and roles that it acts for. Files and tokens have the
//! same form.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_messages::host::GameScope;
use serde_json::{Map, Value};

/// Maximum number of games in a grant; an identity that needs more may have all games.
const GAMES_MAX: usize = 1024;
/// The roles by name. Their bits follow those of the seats, in this order.
const ROLES: [(&str, As); 4] =
    [("TABLE", As::Table), ("JUDGE", As::Judge), ("DIRECTOR", As::Director), ("SPECTATOR", As::Spectator)];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    games: Games,
    /// One bit per seat, then one bit per role.
    whom: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Games {
    All,
    /// Ids of the games, ascending.
    These(Vec<[u8; 16]>),
}

impl Grant {
    /// Whether the grant covers acting for `who`. The table sees and does all that a spectator sees and does, so
    /// whoever may act for the table may also ask as a spectator.
    pub fn acts_as(&self, who: As) -> bool {
        let named = |who| bit(who).is_some_and(|bit| self.whom & bit != 0);
        named(who) || who == As::Spectator && named(As::Table)
    }

    /// Whether the grant covers this game. A new game whose id is not yet known is covered only by a grant of
    /// all games.
    pub fn covers(&self, game: GameScope) -> bool {
        match (&self.games, game) {
            (Games::All, _) | (_, GameScope::None) => true,
            (Games::These(_), GameScope::New) => false,
            (Games::These(ids), GameScope::Of(id)) => ids.binary_search(&id.0).is_ok(),
        }
    }

    /// Whether the grant covers every game, seat and role.
    pub fn is_unlimited(&self) -> bool {
        self.games == Games::All && self.whom == everyone()
    }

    /// Writes the rights. Grants with other rights have other bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.whom.to_be_bytes().to_vec();
        if let Games::These(ids) = &self.games {
            bytes.push(1);
            bytes.extend_from_slice(ids.as_flattened());
        }
        bytes
    }

    pub fn of_one(game: GameId, actor: As) -> Self {
        Self { games: Games::These(vec![game.0]), whom: bit(actor).unwrap_or_default() }
    }

    /// Returns the game and the actor of a grant that covers exactly one of each.
    pub(super) fn only(&self) -> Option<(GameId, As)> {
        let Games::These(ids) = &self.games else { return None };
        let [id] = ids[..] else { return None };
        let mut whom = actors().filter(|&who| bit(who).is_some_and(|bit| self.whom & bit != 0));
        let (actor, None) = (whom.next()?, whom.next()) else { return None };
        Some((GameId(id), actor))
    }

    /// Reads the fields `games` and `as`.
    ///
    /// # Errors
    /// Every fault of the two fields, with its path.
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
        Some(Value::Array(list)) if list.len() <= SEATS_MAX + ROLES.len() => list.as_slice(),
        _ => {
            faults.push("as: expected \"all\" or a list of seats and roles".into());
            &[]
        }
    };
    let mut whom = 0;
    for (at, one) in list.iter().enumerate() {
        let role = |name: &str| ROLES.iter().find(|role| role.0 == name).map(|role| role.1);
        let seat =
            one.as_u64().filter(|&seat| seat < SEATS_MAX as u64).map(|seat| As::Seat(Seat(seat as u8)));
        match seat.or_else(|| one.as_str().and_then(role)).and_then(bit) {
            Some(bit) => whom |= bit,
            None => faults.push(format!(
                "as[{at}]: expected a seat (0 to 5), \"TABLE\", \"JUDGE\", \"DIRECTOR\" or \"SPECTATOR\""
            )),
        }
    }
    whom
}

fn actors() -> impl Iterator<Item = As> {
    let seats = (0..SEATS_MAX as u8).map(|seat| As::Seat(Seat(seat)));
    seats.chain(ROLES.iter().map(|&(_, role)| role))
}

/// Returns an actor as the field `as` names it.
pub(super) fn claim(who: As) -> Value {
    let name = role_name(who).map(Value::from);
    name.or_else(|| who.seat().map(|seat| seat.0.into())).unwrap_or_default()
}

/// Returns the name of a role, as the field `as` has it; `None` for a seat.
pub fn role_name(who: As) -> Option<&'static str> {
    ROLES.iter().find(|&&(_, role)| role == who).map(|&(name, _)| name)
}

fn bit(who: As) -> Option<u16> {
    let at = match who {
        As::Seat(seat) => Some(seat.index()).filter(|&seat| seat < SEATS_MAX),
        role => ROLES.iter().position(|&(_, one)| one == role).map(|at| SEATS_MAX + at),
    };
    at.map(|at| 1 << at)
}

fn everyone() -> u16 {
    (1 << (SEATS_MAX + ROLES.len())) - 1
}

/// Decodes exactly `N` bytes from hex digits of either case; `None` for any other text.
pub(super) fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let decoded = base16ct::mixed::decode(text, &mut bytes).ok()?;
    (decoded.len() == N).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn hex_digits_have_either_case_and_exactly_the_length() {
        assert_eq!(hex::<2>("00fF"), Some([0, 0xff]));
        for bad in ["", "00f", "00f", "00fff", "00ff00", "00fg", "+0ff", " 0ff", "00f\u{e9}"] {
            assert_eq!(hex::<2>(bad), None, "{bad:?}");
        }
    }
}
