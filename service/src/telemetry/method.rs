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

#[allow(missing_docs, reason = "the path says which method it is")]
impl Method {
    pub const APPLY_ACTION: Self = Self::unary(0, "canasta.v1.GameService/ApplyAction");
    pub const APPLY_ACTIONS: Self = Self::unary(1, "canasta.v1.GameService/ApplyActions");
    pub const CHECK_ACTION: Self = Self::unary(2, "canasta.v1.GameService/CheckAction");
    pub const LIST_LEGAL_ACTIONS: Self = Self::unary(3, "canasta.v1.GameService/ListLegalActions");
    pub const GET_VIEW: Self = Self::unary(4, "canasta.v1.GameService/GetView");
    pub const SUGGEST_ACTION: Self = Self::unary(5, "canasta.v1.GameService/SuggestAction");
    pub const CREATE_GAME: Self = Self::unary(6, "canasta.v1.GameService/CreateGame");
    pub const GET_RULE: Self = Self::unary(7, "canasta.v1.GameService/GetRule");
    pub const GET_RULE_SET: Self = Self::unary(8, "canasta.v1.GameService/GetRuleSet");
    pub const LIST_RULE_SETS: Self = Self::unary(9, "canasta.v1.GameService/ListRuleSets");
    pub const GET_SERVER_INFO: Self = Self::unary(10, "canasta.v1.GameService/GetServerInfo");
    pub const OPTIONS: Self = Self::unary(11, "canasta.v1.GameService/Options");
    pub const PREVIEW_TAKE_BACK: Self = Self::unary(12, "canasta.v1.GameService/PreviewTakeBack");
    pub const GET_CATALOGUE: Self = Self::unary(13, "canasta.v1.GameService/GetCatalogue");
    pub const AUDIT_LOG: Self = Self::collecting(14, "canasta.v1.AuditService/AuditLog");
    pub const GET_STEP: Self = Self::collecting(15, "canasta.v1.AuditService/GetStep");
    pub const EXPLAIN_STEP: Self = Self::collecting(16, "canasta.v1.AuditService/ExplainStep");
    pub const DESCRIBE_LOG: Self = Self::collecting(17, "canasta.v1.AuditService/DescribeLog");
    pub const ASK_LOG: Self = Self::collecting(18, "canasta.v1.AuditService/AskLog");
    pub const PLAY: Self = Self::streaming(19, "canasta.v1.GameService/Play");
    pub const CREATE: Self = Self::unary(20, "canasta.v1.RecordService/Create");
    pub const ACT: Self = Self::unary(21, "canasta.v1.RecordService/Act");
    /// Its name differs from that of GameService in metrics.
    pub const GET_GAME_VIEW: Self =
        Self { name: "GetGameView", ..Self::unary(22, "canasta.v1.RecordService/GetView") };
    pub const QUERY: Self = Self::unary(23, "canasta.v1.RecordService/Query");
    pub const GET_LOG: Self = Self::answering(24, "canasta.v1.RecordService/GetLog");
    pub const LIST_GAMES: Self = Self::unary(25, "canasta.v1.RecordService/ListGames");
    pub const WATCH: Self = Self::answering(26, "canasta.v1.RecordService/Watch");
    pub const DESCRIBE: Self = Self::unary(27, "canasta.v1.RecordService/Describe");
    pub const TAKE_BACK: Self = Self::unary(28, "canasta.v1.RecordService/TakeBack");
    pub const GET_VERDICT: Self = Self::unary(29, "canasta.v1.RecordService/GetVerdict");
    pub const INVITE: Self = Self::unary(30, "canasta.v1.RecordService/Invite");
    pub const REVOKE: Self = Self::unary(31, "canasta.v1.RecordService/Revoke");
    pub const SET_BOT: Self = Self::unary(32, "canasta.v1.RecordService/SetBot");
    // Not ours: the layers treat them all alike.
    pub const HEALTH_CHECK: Self = Self::streaming(33, "grpc.health.v1.Health/Check");
    pub const HEALTH_WATCH: Self = Self::streaming(34, "grpc.health.v1.Health/Watch");
    pub const REFLECTION: Self =
        Self::streaming(35, "grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
    pub const REFLECTION_ALPHA: Self =
        Self::streaming(36, "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
    /// Every other path.
    pub const OTHER: Self = Self { name: "other", ..Self::streaming(37, "_OTHER") };

    /// Every method, by number.
    pub const ALL: [Self; 38] = [
        Self::APPLY_ACTION,
        Self::APPLY_ACTIONS,
        Self::CHECK_ACTION,
        Self::LIST_LEGAL_ACTIONS,
        Self::GET_VIEW,
        Self::SUGGEST_ACTION,
        Self::CREATE_GAME,
        Self::GET_RULE,
        Self::GET_RULE_SET,
        Self::LIST_RULE_SETS,
        Self::GET_SERVER_INFO,
        Self::OPTIONS,
        Self::PREVIEW_TAKE_BACK,
        Self::GET_CATALOGUE,
        Self::AUDIT_LOG,
        Self::GET_STEP,
        Self::EXPLAIN_STEP,
        Self::DESCRIBE_LOG,
        Self::ASK_LOG,
        Self::PLAY,
        Self::CREATE,
        Self::ACT,
        Self::GET_GAME_VIEW,
        Self::QUERY,
        Self::GET_LOG,
        Self::LIST_GAMES,
        Self::WATCH,
        Self::DESCRIBE,
        Self::TAKE_BACK,
        Self::GET_VERDICT,
        Self::INVITE,
        Self::REVOKE,
        Self::SET_BOT,
        Self::HEALTH_CHECK,
        Self::HEALTH_WATCH,
        Self::REFLECTION,
        Self::REFLECTION_ALPHA,
        Self::OTHER,
    ];

    const fn unary(number: usize, path: &'static str) -> Self {
        Self { number, name: last_step(path), path, asks_once: true, answers_once: true }
    }

    const fn answering(number: usize, path: &'static str) -> Self {
        Self { number, name: last_step(path), path, asks_once: true, answers_once: false }
    }

    const fn collecting(number: usize, path: &'static str) -> Self {
        Self { number, name: last_step(path), path, asks_once: false, answers_once: true }
    }

    const fn streaming(number: usize, path: &'static str) -> Self {
        Self { number, name: last_step(path), path, asks_once: false, answers_once: false }
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
