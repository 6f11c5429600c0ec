//! The methods that telemetry tells apart. A path comes from outside: every path that is not in the list
//! counts as [`Method::OTHER`].

/// A method of our services, or all other paths together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Place in [`Self::ALL`].
    pub number: usize,
    /// Name in metrics, traces and the log.
    pub name: &'static str,
    /// Whether a request is one message and not a stream.
    asks_once: bool,
    /// Whether an answer is one message, which the caller must read without delay.
    pub answers_once: bool,
}

impl Method {
    pub const APPLY_ACTION: Self = Self::unary(0, "ApplyAction");
    pub const APPLY_ACTIONS: Self = Self::unary(1, "ApplyActions");
    pub const CHECK_ACTION: Self = Self::unary(2, "CheckAction");
    pub const LIST_LEGAL_ACTIONS: Self = Self::unary(3, "ListLegalActions");
    pub const GET_VIEW: Self = Self::unary(4, "GetView");
    pub const SUGGEST_ACTION: Self = Self::unary(5, "SuggestAction");
    pub const CREATE_GAME: Self = Self::unary(6, "CreateGame");
    pub const GET_RULE: Self = Self::unary(7, "GetRule");
    pub const GET_RULE_SET: Self = Self::unary(8, "GetRuleSet");
    pub const LIST_RULE_SETS: Self = Self::unary(9, "ListRuleSets");
    pub const GET_SERVER_INFO: Self = Self::unary(10, "GetServerInfo");
    pub const AUDIT_LOG: Self = Self::collecting(11, "AuditLog");
    pub const GET_STEP: Self = Self::collecting(12, "GetStep");
    pub const EXPLAIN_STEP: Self = Self::collecting(13, "ExplainStep");
    pub const PLAY: Self = Self::streaming(14, "Play");
    pub const OTHER: Self = Self::streaming(15, "other");

    /// Every method, by number.
    pub const ALL: [Self; 16] = [
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
        Self::AUDIT_LOG,
        Self::GET_STEP,
        Self::EXPLAIN_STEP,
        Self::PLAY,
        Self::OTHER,
    ];

    const fn unary(number: usize, name: &'static str) -> Self {
        Self { number, name, asks_once: true, answers_once: true }
    }

    const fn collecting(number: usize, name: &'static str) -> Self {
        Self { number, name, asks_once: false, answers_once: true }
    }

    const fn streaming(number: usize, name: &'static str) -> Self {
        Self { number, name, asks_once: false, answers_once: false }
    }

    /// Returns the method that a path names; [`Self::OTHER`] for health, reflection and every path that is
    /// not ours.
    pub fn of_path(path: &str) -> Self {
        match path {
            "/canasta.v1.GameService/ApplyAction" => Self::APPLY_ACTION,
            "/canasta.v1.GameService/ApplyActions" => Self::APPLY_ACTIONS,
            "/canasta.v1.GameService/CheckAction" => Self::CHECK_ACTION,
            "/canasta.v1.GameService/ListLegalActions" => Self::LIST_LEGAL_ACTIONS,
            "/canasta.v1.GameService/GetView" => Self::GET_VIEW,
            "/canasta.v1.GameService/SuggestAction" => Self::SUGGEST_ACTION,
            "/canasta.v1.GameService/CreateGame" => Self::CREATE_GAME,
            "/canasta.v1.GameService/GetRule" => Self::GET_RULE,
            "/canasta.v1.GameService/GetRuleSet" => Self::GET_RULE_SET,
            "/canasta.v1.GameService/ListRuleSets" => Self::LIST_RULE_SETS,
            "/canasta.v1.GameService/GetServerInfo" => Self::GET_SERVER_INFO,
            "/canasta.v1.GameService/Play" => Self::PLAY,
            "/canasta.v1.AuditService/AuditLog" => Self::AUDIT_LOG,
            "/canasta.v1.AuditService/GetStep" => Self::GET_STEP,
            "/canasta.v1.AuditService/ExplainStep" => Self::EXPLAIN_STEP,
            _ => Self::OTHER,
        }
    }

    /// Whether the method takes in whole logs. Logs arrive slowly, so they must not use up the places of
    /// play.
    pub fn takes_in_logs(self) -> bool {
        !self.asks_once && self.answers_once
    }
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
        let mut found_methods = vec![Method::OTHER];
        for service in services {
            for method in &service.method {
                let found = Method::of_path(&format!("/canasta.v1.{}/{}", service.name(), method.name()));
                assert_eq!(found.name, method.name());
                assert_eq!(found.asks_once, !method.client_streaming(), "{}", method.name());
                assert_eq!(found.answers_once, !method.server_streaming(), "{}", method.name());
                found_methods.push(found);
            }
        }
        assert_eq!(found_methods.len(), Method::ALL.len(), "and no others");
        for path in [
            "",
            "/",
            "/canasta.v1.GameService/",
            "/canasta.v2.GameService/GetRule",
            "/x/ApplyAction",
            "/canasta.v1.AuditService/ApplyAction",
        ] {
            assert_eq!(Method::of_path(path), Method::OTHER, "{path}");
        }
    }

    #[test]
    fn each_method_stands_at_its_number() {
        for (number, method) in Method::ALL.into_iter().enumerate() {
            assert_eq!(method.number, number, "{}", method.name);
        }
    }
}
