//! The methods that telemetry tells apart. A path comes from outside: what is not in the list has one name.

/// A method of ours, or `other`.
#[derive(PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name in metrics and traces.
    pub name: &'static str,
    /// It is asked one message.
    pub asks_once: bool,
    /// Its answer is one message, which the caller is to take without delay.
    pub answers_once: bool,
}

impl Method {
    /// Whether it takes in whole logs: they come slowly, and must not stand in the way of play.
    pub fn takes_in_logs(&self) -> bool {
        !self.asks_once && self.answers_once
    }
}

const fn unary(name: &'static str) -> Method {
    Method { name, asks_once: true, answers_once: true }
}

const fn collecting(name: &'static str) -> Method {
    Method { name, asks_once: false, answers_once: true }
}

const fn streaming(name: &'static str) -> Method {
    Method { name, asks_once: false, answers_once: false }
}

/// All of them; the last stands for every other path, health and reflection among them.
pub const METHODS: [Method; 15] = [
    unary("ApplyAction"),
    unary("ApplyActions"),
    unary("CheckAction"),
    unary("ListLegalActions"),
    unary("GetView"),
    unary("SuggestAction"),
    unary("CreateGame"),
    unary("GetRule"),
    unary("GetRuleSet"),
    unary("ListRuleSets"),
    collecting("AuditLog"),
    collecting("GetStep"),
    collecting("ExplainStep"),
    streaming("Play"),
    streaming("other"),
];

/// The number of the method that a path names.
pub fn index(path: &str) -> usize {
    let ours = path.strip_prefix("/canasta.v1.").and_then(|path| path.split_once("Service/"));
    let named = |name| METHODS.iter().position(|method| method.name == name);
    ours.and_then(|(_, name)| named(name)).unwrap_or(METHODS.len() - 1)
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
        for service in services {
            for method in &service.method {
                let found = &METHODS[index(&format!("/canasta.v1.{}/{}", service.name(), method.name()))];
                assert_eq!(found.name, method.name());
                assert_eq!(found.asks_once, !method.client_streaming(), "{}", method.name());
                assert_eq!(found.answers_once, !method.server_streaming(), "{}", method.name());
            }
        }
        for path in ["", "/", "/canasta.v1.GameService/", "/canasta.v2.GameService/GetRule", "/x/ApplyAction"]
        {
            assert_eq!(METHODS[index(path)].name, "other", "{path}");
        }
    }
}
