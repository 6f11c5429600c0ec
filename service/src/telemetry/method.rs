//! The methods that telemetry tells apart. A path comes from outside: every path that is not in the list
//! counts as [`Method::OTHER`].

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

/// Makes a constant of each row, and the list of all in the order of the rows.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident = $method:expr;)*) => {
        #[allow(missing_docs, reason = "the path says which method it is")]
        impl Method {
            $($(#[$doc])* pub const $name: Self = Self { number: Place::$name as usize, ..$method };)*

            /// Every method, by number.
            pub const ALL: [Self; Place::OTHER as usize + 1] = [$(Self::$name),*];
        }

        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "a place has the name of its method")]
        enum Place {
            $($name),*
        }
    };
}

methods! {
    APPLY_ACTION = Method::unary("canasta.v1.GameService/ApplyAction");
    APPLY_ACTIONS = Method::unary("canasta.v1.GameService/ApplyActions");
    CHECK_ACTION = Method::unary("canasta.v1.GameService/CheckAction");
    LIST_LEGAL_ACTIONS = Method::unary("canasta.v1.GameService/ListLegalActions");
    GET_VIEW = Method::unary("canasta.v1.GameService/GetView");
    SUGGEST_ACTION = Method::unary("canasta.v1.GameService/SuggestAction");
    CREATE_GAME = Method::unary("canasta.v1.GameService/CreateGame");
    GET_RULE = Method::unary("canasta.v1.GameService/GetRule");
    GET_RULE_SET = Method::unary("canasta.v1.GameService/GetRuleSet");
    LIST_RULE_SETS = Method::unary("canasta.v1.GameService/ListRuleSets");
    GET_SERVER_INFO = Method::unary("canasta.v1.GameService/GetServerInfo");
    OPTIONS = Method::unary("canasta.v1.GameService/Options");
    PREVIEW_TAKE_BACK = Method::unary("canasta.v1.GameService/PreviewTakeBack");
    GET_CATALOGUE = Method::unary("canasta.v1.GameService/GetCatalogue");
    AUDIT_LOG = Method::collecting("canasta.v1.AuditService/AuditLog");
    GET_STEP = Method::collecting("canasta.v1.AuditService/GetStep");
    EXPLAIN_STEP = Method::collecting("canasta.v1.AuditService/ExplainStep");
    DESCRIBE_LOG = Method::collecting("canasta.v1.AuditService/DescribeLog");
    ASK_LOG = Method::collecting("canasta.v1.AuditService/AskLog");
    PLAY = Method::streaming("canasta.v1.GameService/Play");
    CREATE = Method::unary("canasta.v1.RecordService/Create");
    ACT = Method::unary("canasta.v1.RecordService/Act");
    /// Its name differs from that of GameService in metrics.
    GET_GAME_VIEW = Method { name: "GetGameView", ..Method::unary("canasta.v1.RecordService/GetView") };
    QUERY = Method::unary("canasta.v1.RecordService/Query");
    GET_LOG = Method::answering("canasta.v1.RecordService/GetLog");
    LIST_GAMES = Method::unary("canasta.v1.RecordService/ListGames");
    WATCH = Method::answering("canasta.v1.RecordService/Watch");
    DESCRIBE = Method::unary("canasta.v1.RecordService/Describe");
    TAKE_BACK = Method::unary("canasta.v1.RecordService/TakeBack");
    GET_VERDICT = Method::unary("canasta.v1.RecordService/GetVerdict");
    INVITE = Method::unary("canasta.v1.RecordService/Invite");
    REVOKE = Method::unary("canasta.v1.RecordService/Revoke");
    SET_BOT = Method::unary("canasta.v1.RecordService/SetBot");
    // Not ours: the layers treat them all alike.
    HEALTH_CHECK = Method::streaming("grpc.health.v1.Health/Check");
    HEALTH_WATCH = Method::streaming("grpc.health.v1.Health/Watch");
    REFLECTION = Method::streaming("grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
    REFLECTION_ALPHA = Method::streaming("grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
    /// Every other path.
    OTHER = Method { name: "other", ..Method::streaming("_OTHER") };
}

impl Method {
    const fn unary(path: &'static str) -> Self {
        Self { number: 0, name: last_step(path), path, asks_once: true, answers_once: true }
    }

    const fn answering(path: &'static str) -> Self {
        Self { number: 0, name: last_step(path), path, asks_once: true, answers_once: false }
    }

    const fn collecting(path: &'static str) -> Self {
        Self { number: 0, name: last_step(path), path, asks_once: false, answers_once: true }
    }

    const fn streaming(path: &'static str) -> Self {
        Self { number: 0, name: last_step(path), path, asks_once: false, answers_once: false }
    }

    /// Returns the method that a path names; [`Self::OTHER`] for every path that is no method.
    pub fn of_path(path: &str) -> Self {
        let known = path.strip_prefix('/').filter(|path| *path != Self::OTHER.path);
        let known = known.and_then(|path| Self::ALL.into_iter().find(|method| method.path == path));
        known.unwrap_or(Self::OTHER)
    }

    /// Whether the method opens a stream that anybody may watch without credentials: health and reflection.
    pub fn is_watched(self) -> bool {
        [Self::HEALTH_WATCH, Self::REFLECTION, Self::REFLECTION_ALPHA].contains(&self)
    }

    /// Whether the method answers a stream about a game, which asks at each message whether the caller is still known.
    pub fn may_stay_open(self) -> bool {
        self == Self::PLAY || self.is_recorded() && !self.answers_once
    }

    /// Whether the method is one of RecordService, whose answers may wait for a disk.
    pub fn is_recorded(self) -> bool {
        self.path.starts_with("canasta.v1.RecordService/")
    }

    /// Whether the method is one of GameService.
    pub fn is_of_game_service(self) -> bool {
        self.path.starts_with("canasta.v1.GameService/")
    }

    /// Whether the method answers what everybody may know: rules, their texts, and the server itself.
    pub fn asks_about_rules(self) -> bool {
        let open = [Self::GET_RULE, Self::GET_RULE_SET, Self::LIST_RULE_SETS, Self::GET_CATALOGUE];
        open.contains(&self) || self == Self::GET_SERVER_INFO
    }

    /// Whether the method takes in whole logs. Logs arrive slowly, so they must not use up the places of
    /// play.
    pub fn takes_in_logs(self) -> bool {
        !self.asks_once && self.answers_once
    }
}

/// Returns what follows the last `/` of a path.
const fn last_step(path: &'static str) -> &'static str {
    let mut at = path.len();
    while at > 0 && path.as_bytes()[at - 1] != b'/' {
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
        let mut found_methods = vec![
            Method::HEALTH_CHECK,
            Method::HEALTH_WATCH,
            Method::REFLECTION,
            Method::REFLECTION_ALPHA,
            Method::OTHER,
        ];
        for service in services {
            for method in &service.method {
                let found = Method::of_path(&format!("/canasta.v1.{}/{}", service.name(), method.name()));
                let is_named_alike = found == Method::GET_GAME_VIEW;
                assert_eq!(found.name, if is_named_alike { "GetGameView" } else { method.name() });
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
        assert_eq!(Method::of_path("/grpc.health.v1.Health/Check"), Method::HEALTH_CHECK);
    }

    #[test]
    fn each_method_stands_at_its_number() {
        for (number, method) in Method::ALL.into_iter().enumerate() {
            assert_eq!(method.number, number, "{}", method.name);
        }
    }
}
