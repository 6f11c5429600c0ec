//! The methods that telemetry tells apart. A path comes from outside: every path that is not in the list
//! counts as [`Method::OTHER`].

use canasta_proto::METHODS;

/// A method of our services, or all other paths together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Place in [`Self::ALL`].
    pub number: usize,
    /// Name in the service's own metrics and in the log.
    pub name: &'static str,
    /// Name with its service (`canasta.v1.GameService/GetView`), as OpenTelemetry writes methods.
    pub path: &'static str,
    /// Whether a request is one message and not a stream.
    asks_once: bool,
    /// Whether an answer is one message, which the caller must read without delay.
    pub answers_once: bool,
}

/// The methods that are not ours: the layers treat them all alike.
const FOREIGN: [&str; 5] = [
    "grpc.health.v1.Health/Check",
    "grpc.health.v1.Health/Watch",
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    // Every other path.
    "_OTHER",
];

const COUNT: usize = METHODS.len() + FOREIGN.len();

impl Method {
    /// Every method, by number: ours in the order of the proto files, then the others.
    pub const ALL: [Self; COUNT] = all();
    /// Opens a stream in which a caller plays.
    pub const PLAY: Self = Self::named("Play");
    /// Creates a game in the journal.
    pub const CREATE: Self = Self::named("Create");
    /// Every path that is no method.
    pub const OTHER: Self = Self::named("other");

    /// Returns the method of this name; in a constant, one that does not exist does not compile.
    ///
    /// # Panics
    /// If there is no such method.
    pub const fn named(name: &str) -> Self {
        let mut number = 0;
        while number < Self::ALL.len() {
            if is_equal(Self::ALL[number].name, name) {
                return Self::ALL[number];
            }
            number += 1;
        }
        panic!("no method has this name")
    }

    /// Returns the method that a path names; [`Self::OTHER`] for every path that is no method.
    pub fn of_path(path: &str) -> Self {
        let known = path.strip_prefix('/').filter(|path| *path != Self::OTHER.path);
        let known = known.and_then(|path| Self::ALL.into_iter().find(|method| method.path == path));
        known.unwrap_or(Self::OTHER)
    }

    /// Whether the method opens a stream that anybody may watch without credentials: health and reflection.
    pub fn is_watched(self) -> bool {
        FOREIGN[1..4].contains(&self.path)
    }

    /// Whether the method answers a stream about a game, which asks at each message whether the caller is still known.
    pub fn may_stay_open(self) -> bool {
        self == Self::PLAY || self.is_recorded() && !self.answers_once
    }

    /// Whether the method is one of RecordService, whose answers may wait for a disk.
    pub fn is_recorded(self) -> bool {
        self.path.starts_with("canasta.v1.RecordService/")
    }

    pub fn is_of_game_service(self) -> bool {
        self.path.starts_with("canasta.v1.GameService/")
    }

    /// Whether the method answers what everybody may know: rules, their texts, and the server itself.
    pub fn asks_about_rules(self) -> bool {
        let open = [
            "GetRule",
            "GetRuleSet",
            "ListRuleSets",
            "ListKnobs",
            "ExplainRuleSet",
            "GetCatalogue",
            "GetServerInfo",
        ];
        self.is_of_game_service() && open.contains(&self.name)
    }

    /// Whether callers without credentials may call the method where rooms are open.
    pub fn is_for_guests(self) -> bool {
        self.asks_about_rules() || ["Create", "CreateRoom", "OpenRoom"].contains(&self.name)
    }

    /// Whether the method takes in whole logs. Logs arrive slowly, so they must not use up the places of
    /// play.
    pub fn takes_in_logs(self) -> bool {
        !self.asks_once && self.answers_once
    }
}

const fn all() -> [Method; COUNT] {
    let first = Method { number: 0, name: "other", path: "_OTHER", asks_once: false, answers_once: false };
    let mut all = [first; COUNT];
    let mut number = 0;
    while number + 1 < all.len() {
        let (path, streams_in, streams_out) = match number < METHODS.len() {
            true => METHODS[number],
            false => (FOREIGN[number - METHODS.len()], true, true),
        };
        // What is not ours keeps its service's name before it: RecordService has a `Watch` and a `Check` too.
        let name = if number < METHODS.len() { after(path, b'/') } else { after(path, b'.') };
        all[number] = Method { number, name, path, asks_once: !streams_in, answers_once: !streams_out };
        number += 1;
    }
    all[number].number = number;
    all
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Returns what follows the last of these characters in a path.
const fn after(path: &'static str, last: u8) -> &'static str {
    let mut at = path.len();
    while at > 0 && path.as_bytes()[at - 1] != last {
        at -= 1;
    }
    path.split_at(at).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    #[test]
    fn every_method_of_the_interface_is_told_apart() {
        let set = FileDescriptorSet::decode(canasta_proto::DESCRIPTORS).expect("our own descriptors");
        let services = set.file.iter().flat_map(|file| &file.service);
        let mut found_methods = Method::ALL[METHODS.len()..].to_vec();
        for service in services {
            for method in &service.method {
                let found = Method::of_path(&format!("/canasta.v1.{}/{}", service.name(), method.name()));
                assert_eq!(found.name, method.name());
                assert_eq!(Method::named(method.name()), found, "no other has its name");
                assert_eq!(found.path, format!("canasta.v1.{}/{}", service.name(), method.name()));
                assert_eq!(found.asks_once, !method.client_streaming(), "{}", method.name());
                assert_eq!(found.answers_once, !method.server_streaming(), "{}", method.name());
                found_methods.push(found);
            }
        }
        assert_eq!(found_methods.len(), Method::ALL.len(), "and no others");
        for path in [
            "",
            "/",
            "/_OTHER",
            "//_OTHER",
            "/canasta.v1.GameService/",
            "/canasta.v2.GameService/GetRule",
            "/x/ApplyAction",
            "/canasta.v1.AuditService/ApplyAction",
        ] {
            assert_eq!(Method::of_path(path), Method::OTHER, "{path}");
        }
        assert_eq!(Method::of_path("/grpc.health.v1.Health/Check"), Method::named("Health/Check"));
    }

    #[test]
    fn each_method_stands_at_its_number() {
        for (number, method) in Method::ALL.into_iter().enumerate() {
            assert_eq!(method.number, number, "{}", method.name);
        }
    }
}
