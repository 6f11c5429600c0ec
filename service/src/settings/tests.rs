use super::*;
use std::path::PathBuf;

/// A file of the test, which is removed when it is dropped.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("canasta-settings-{}-{name}.toml", std::process::id()));
        std::fs::write(&path, text).expect("the folder for temporary files is there");
        Self(path)
    }

    fn argument(&self) -> String {
        format!("--config={}", self.0.display())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn nothing(_: &str) -> Option<OsString> {
    None
}

fn ask(arguments: &[&str], variable: fn(&str) -> Option<OsString>) -> Result<ServiceCli, EarlyExit> {
    read(std::iter::once(PROGRAM).chain(arguments.iter().copied()).map(OsString::from).collect(), variable)
}

fn faults(arguments: &[&str], variable: fn(&str) -> Option<OsString>) -> Vec<String> {
    match ask(arguments, variable) {
        Err(EarlyExit::Faults(faults)) => faults,
        other => panic!("{other:?}"),
    }
}

fn printed(arguments: &[&str], variable: fn(&str) -> Option<OsString>) -> String {
    match ask(&[arguments, &["--print-config"]].concat(), variable) {
        Err(EarlyExit::Settings(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_line_comes_before_the_environment_before_the_file() {
    let file =
        TempFile::new("order", "max-requests = 1\nmax-connections = 2\nidle-ms = 3\nreflection = true\n");
    let environment = |name: &str| match name {
        "CANASTA_MAX_REQUESTS" => Some("10".into()),
        "CANASTA_MAX_CONNECTIONS" => Some("20".into()),
        "CANASTA_REFLECTION" => Some("false".into()),
        _ => None,
    };
    let config = ask(&[&file.argument(), "--max-requests", "100"], environment).expect("sound").config;
    assert_eq!((config.max_requests, config.max_connections), (100, 20));
    assert_eq!(config.idle, std::time::Duration::from_millis(3));
    assert!(!config.reflection, "the environment says no, whatever the file says");
    assert_eq!(config.max_peer_connections, 32, "the default");
}

/// Checks the times with which a service would listen and answer nothing.
#[test]
fn times_of_no_length_are_refused() {
    let names = ["deadline", "audit-deadline", "play-idle", "preface-deadline", "idle", "take-deadline"];
    for name in names {
        let faults = faults(&[&format!("--{name}-ms=0")], nothing);
        assert_eq!(faults.len(), 1, "{name}: {faults:?}");
        assert!(faults[0].contains("expected at least 1"), "{}", faults[0]);
    }
    ask(&["--reread-ms=0", "--drain-notice-ms=0", "--drain-limit-ms=0"], nothing).expect("0 has a meaning");
}

/// Checks the limits with which a service would listen and refuse everything.
#[test]
fn limits_of_nothing_are_refused() {
    let command = ServiceCli::command();
    let limits = command.get_arguments().filter_map(|argument| argument.get_long());
    let limits: Vec<_> =
        limits.filter(|long| long.starts_with("max-") && !long.ends_with("-age-ms")).collect();
    assert!(limits.len() >= 11, "{limits:?}");
    for limit in limits {
        let faults = faults(&[&format!("--{limit}=0")], nothing);
        assert!(faults.len() == 1 && faults[0].contains("0 is not in 1.."), "{limit}: {faults:?}");
    }
}

#[test]
fn variables_that_are_no_settings_are_named() {
    let names = [
        "CANASTA_MAX_RATES",
        "CANASTA_MAX_RATE",
        "CANASTA_COLOUR",
        "OTHER_MAX_RATES",
        // A Service called canasta, and one called canasta-service (Kubernetes, "Accessing the Service").
        "CANASTA_SERVICE_HOST",
        "CANASTA_SERVICE_PORT",
        "CANASTA_SERVICE_PORT_GRPC",
        "CANASTA_PORT",
        "CANASTA_PORT_50051_TCP",
        "CANASTA_PORT_50051_TCP_PROTO",
        "CANASTA_SERVICE_SERVICE_HOST",
        "CANASTA_SERVICE_PORT_50051_TCP_ADDR",
    ];
    let expected = [
        "the variable \"CANASTA_COLOUR\" is no setting and is ignored",
        "the variable \"CANASTA_MAX_RATES\" is no setting and is ignored; did you mean CANASTA_MAX_RATE?",
    ];
    assert_eq!(unknown_variables(names.into_iter().map(OsString::from)), expected);
}

#[test]
fn every_fault_is_named() {
    let text = "listen = \"nowhere\"\nmax-requests = 0\nmax-rates = 5\ntrusted-callers = 1\nidle-ms = [1]\n\
                trace-ratio = 1.5\nsigning-key-file = \"/no/such/file\"\nmax-burst = 7\n";
    let file = TempFile::new("faults", text);
    let environment = |name: &str| match name {
        "CANASTA_DEADLINE_MS" => Some("soon".into()),
        "CANASTA_OTLP_ENDPOINT" => Some("https://collector".into()),
        _ => None,
    };
    let faults = faults(&[&file.argument(), "--max-connections=-1"], environment);
    let expected = [
        "listen: invalid value 'nowhere'",
        "max-requests: invalid value '0'",
        "unknown setting \"max-rates\"; did you mean \"max-rate\"?",
        "trusted-callers: expected true or false, found \"1\"",
        "idle-ms: expected a text",
        "trace-ratio: invalid value '1.5'",
        "--signing-key-file /no/such/file: No such file",
        "--max-burst needs --max-rate",
        "CANASTA_DEADLINE_MS: invalid value 'soon'",
        "CANASTA_OTLP_ENDPOINT: invalid value 'https://collector'",
        "--max-connections: invalid value '-1'",
    ];
    for part in expected {
        assert_eq!(faults.iter().filter(|fault| fault.contains(part)).count(), 1, "{part}: {faults:#?}");
    }
    assert_eq!(faults.len(), expected.len(), "{faults:#?}");
}

#[test]
fn a_file_that_is_none_is_a_fault_with_its_line() {
    let file = TempFile::new("none", "max-requests = 5\n\nlisten = = 3\n");
    let found = faults(&[&file.argument()], nothing);
    assert!(found.len() == 1 && found[0].contains(": line 3: "), "{found:?}");
    let found = faults(&["--config", "/no/such/file.toml", "--max-burst", "3"], nothing);
    assert!(found[0].starts_with("/no/such/file.toml: No such file"), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
    let long = TempFile::new("long", &"#".repeat(70_000));
    assert!(faults(&[&long.argument()], nothing)[0].contains("expected at most 65536 bytes"));
}

#[test]
fn what_is_printed_is_a_file_that_gives_the_same() {
    let line = ["--max-rate", "7", "--audience", "the \"club\"", "--reflection", "--listen", "[::1]:9"];
    let first = printed(&line, nothing);
    assert!(first.contains("max-rate = 7  # --max-rate\n"), "{first}");
    assert!(first.contains("# max-burst is not set  # default\n"), "{first}");
    let file = TempFile::new("printed", &first);
    let second = printed(&[&file.argument()], nothing);
    let values = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.rsplit_once("  # ").expect("a place").0.to_owned()).collect()
    };
    assert_eq!(values(&first), values(&second));
    assert!(second.contains("printed.toml: audience"), "{second}");
}

#[test]
fn every_setting_has_a_variable_and_a_place_in_the_operators_page() {
    let page = include_str!("../../../docs/OPERATIONS.md");
    for argument in ServiceCli::command().get_arguments() {
        let long = argument.get_long().unwrap_or_default();
        if ["print-config", "help", "version"].contains(&long) {
            continue;
        }
        let variable = format!("CANASTA_{}", long.to_uppercase().replace('-', "_"));
        assert_eq!(argument.get_env().and_then(|name| name.to_str()), Some(variable.as_str()), "--{long}");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{long}` |")));
        let row = row.unwrap_or_else(|| panic!("{long} is not in docs/OPERATIONS.md"));
        // The page writes numbers with commas, and words for defaults that are no number.
        let said = row.split('|').nth(2).expect("a default").trim().trim_matches('`').replace(',', "");
        let default = argument.get_default_values().first().map(|value| value.to_string_lossy());
        match default.as_deref() {
            Some(default) if !default.is_empty() => assert_eq!(said, default, "{long}"),
            _ => assert!(!said.contains(|digit: char| digit.is_ascii_digit()), "{long} has no default"),
        }
    }
}

#[test]
fn a_command_keeps_its_own_arguments() {
    let cli = ask(&["--max-requests", "5", "api-key", "club"], nothing).expect("sound");
    assert_eq!(cli.config.max_requests, 5);
    assert!(matches!(cli.command, Some(ServiceCommand::ApiKey { name }) if name == "club"));
}
