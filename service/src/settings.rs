//! Reader of the settings: from the command line, else the environment, else the settings file, else the
//! defaults.
//!
//! The derived [`ServiceCli`] is the table of settings. Every value is parsed on its own, so that all faults are
//! reported at once; then the values with the highest precedence are parsed together.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use canasta_serve::config::{PROGRAM, ServiceCli, ServiceCommand};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, value_parser};

use crate::files;

/// The beginning of the variables that are settings.
const PREFIX: &str = "CANASTA_";
/// Maximum length of the settings file, in bytes.
const FILE_MAX: u64 = 1 << 16;
/// Ids of the arguments that are no settings.
const NO_SETTINGS: [&str; 4] = ["file", "print_config", "help", "version"];

/// A reason to exit without running a command.
#[derive(Debug)]
pub enum EarlyExit {
    /// clap's help, version or error.
    Clap(clap::Error),
    /// The settings, which --print-config asked for.
    Settings(String),
    Faults(Vec<String>),
}

impl EarlyExit {
    /// Prints the text. Returns whether it is an error.
    pub fn print(&self) -> bool {
        match self {
            Self::Clap(error) => {
                let _ = error.print();
                error.use_stderr()
            }
            Self::Settings(text) => {
                use std::io::Write as _;
                // A closed pipe is no failure.
                let _ = std::io::stdout().write_all(text.as_bytes());
                false
            }
            Self::Faults(faults) => {
                for fault in faults {
                    eprintln!("{PROGRAM}: {fault}");
                }
                true
            }
        }
    }
}

/// A value of a setting and its source.
#[derive(Clone)]
struct WrittenValue {
    /// Name of the source, for messages: `--listen`, `CANASTA_LISTEN`, `service.toml: listen`.
    place: String,
    texts: Vec<String>,
}

/// Reads all settings. `variable` reads the environment.
///
/// # Errors
/// The text to print before the exit: help, the settings, or every fault.
pub fn read(
    arguments: Vec<OsString>,
    variable: fn(&str) -> Option<OsString>,
) -> Result<ServiceCli, EarlyExit> {
    let command = ServiceCli::command();
    let bare = command.clone().mut_args(|argument| argument.env(None::<&str>));
    // At first every text is accepted; each value is parsed on its own below.
    let given = bare.clone().mut_args(|argument| match takes_text(&argument) {
        true if argument.get_id() != "file" => argument.value_parser(value_parser!(String)),
        _ => argument,
    });
    let given = given.try_get_matches_from(arguments).map_err(EarlyExit::Clap)?;
    let mut faults = Vec::new();
    let path =
        given.get_one::<PathBuf>("file").cloned().or_else(|| variable("CANASTA_CONFIG").map(PathBuf::from));
    let table = path.as_deref().map(read_file).transpose().unwrap_or_else(|fault| {
        faults.push(fault);
        None
    });
    let (path, mut table) = (path.unwrap_or_default(), table.unwrap_or_default());

    let mut winners = Vec::new();
    for argument in
        command.get_arguments().filter(|argument| !NO_SETTINGS.contains(&argument.get_id().as_str()))
    {
        let in_file = table.remove(argument.get_long().unwrap_or_default());
        let written = [
            on_line(argument, &given),
            in_environment(argument, variable),
            in_file.map(|value| in_table(argument, &path, value)),
        ];
        let mut sound = Vec::new();
        for written in written.into_iter().flatten() {
            match written.and_then(|written| try_one(&bare, argument, written)) {
                Ok(written) => sound.push(written),
                Err(fault) => faults.push(fault),
            }
        }
        winners.extend(sound.into_iter().next().map(|written| (argument, written)));
    }
    faults.extend(table.keys().map(|key| unknown(&bare, &path, key)));

    let line = winners.iter().flat_map(|(argument, written)| as_line(argument, &written.texts));
    let matches = bare
        .try_get_matches_from(std::iter::once(PROGRAM.to_owned()).chain(line))
        .map_err(EarlyExit::Clap)?;
    let mut cli = ServiceCli::from_arg_matches(&matches).map_err(EarlyExit::Clap)?;
    faults.extend(cli.config.conflicts().iter().map(ToString::to_string));
    faults.extend(files::faults(&cli.config, None));
    if !faults.is_empty() {
        return Err(EarlyExit::Faults(faults));
    }
    if given.get_flag("print_config") {
        return Err(EarlyExit::Settings(print(&command, &winners)));
    }
    if given.subcommand().is_some() {
        cli.command = Some(ServiceCommand::from_arg_matches(&given).map_err(EarlyExit::Clap)?);
    }
    Ok(cli)
}

fn takes_text(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Set | ArgAction::Append)
}

fn read_file(path: &Path) -> Result<toml::Table, String> {
    let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| fault(&error))?;
    std::io::Read::read_to_string(&mut std::io::Read::take(file, FILE_MAX + 1), &mut text)
        .map_err(|error| fault(&error))?;
    if text.len() as u64 > FILE_MAX {
        return Err(fault(&format!("expected at most {FILE_MAX} bytes")));
    }
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        fault(&format!("line {line}: {}", error.message().replace('\n', ", ")))
    })
}

fn on_line(argument: &Arg, given: &ArgMatches) -> Option<Result<WrittenValue, String>> {
    let id = argument.get_id().as_str();
    let place = format!("--{}", argument.get_long()?);
    if given.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    let texts = match takes_text(argument) {
        true => given.get_many::<String>(id)?.cloned().collect(),
        false => vec!["true".into()],
    };
    Some(Ok(WrittenValue { place, texts }))
}

fn in_environment(
    argument: &Arg,
    variable: fn(&str) -> Option<OsString>,
) -> Option<Result<WrittenValue, String>> {
    let name = argument.get_env()?.to_str()?;
    let text = variable(name)?.into_string();
    let written = text.map(|text| WrittenValue { place: name.into(), texts: vec![text] });
    Some(written.map_err(|_| format!("{name}: expected UTF-8")))
}

fn in_table(argument: &Arg, path: &Path, value: toml::Value) -> Result<WrittenValue, String> {
    let place = format!("{}: {}", path.display(), argument.get_long().unwrap_or_default());
    let values = match value {
        toml::Value::Array(values) if matches!(argument.get_action(), ArgAction::Append) => values,
        value => vec![value],
    };
    let text = |value| match value {
        toml::Value::String(text) => Some(text),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    };
    let texts = values.into_iter().map(text).collect::<Option<Vec<_>>>();
    let texts = texts.ok_or_else(|| format!("{place}: expected a text, a number, true or false"))?;
    Ok(WrittenValue { place, texts })
}

/// Checks that the setting accepts this value.
fn try_one(bare: &clap::Command, argument: &Arg, written: WrittenValue) -> Result<WrittenValue, String> {
    if !takes_text(argument) && !matches!(written.texts[0].as_str(), "true" | "false") {
        return Err(format!("{}: expected true or false, found {:?}", written.place, written.texts[0]));
    }
    let line = std::iter::once(PROGRAM.to_owned()).chain(as_line(argument, &written.texts));
    match bare.clone().try_get_matches_from(line) {
        Ok(_) => Ok(written),
        Err(error) => {
            let said = error.to_string();
            // Without clap's advice, which follows.
            let said = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Err(format!("{}: {said}", written.place))
        }
    }
}

fn as_line(argument: &Arg, texts: &[String]) -> Vec<String> {
    let long = argument.get_long().unwrap_or_default();
    match (takes_text(argument), texts) {
        (true, texts) => texts.iter().map(|text| format!("--{long}={text}")).collect(),
        (false, [text]) if text == "true" => vec![format!("--{long}")],
        _ => Vec::new(),
    }
}

/// Returns the fault of a key in the file that is no setting.
fn unknown(bare: &clap::Command, path: &Path, key: &str) -> String {
    let similar = similar(bare, key).map(|name| format!("; did you mean {name:?}?"));
    format!("{}: unknown setting {key:?}{}", path.display(), similar.unwrap_or_default())
}

/// Returns the setting whose name is most similar to `key`, if there is one.
fn similar(bare: &clap::Command, key: &str) -> Option<String> {
    let error = bare.clone().try_get_matches_from([PROGRAM, &format!("--{key}")]).err()?;
    match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(name)) if error.kind() == ErrorKind::UnknownArgument => {
            Some(name.trim_start_matches('-').to_owned())
        }
        _ => None,
    }
}

/// Returns a warning for each variable that begins like ours and is no setting. Such a variable is no fault: other
/// programs may have variables of this name, and Kubernetes sets some for a Service called canasta.
pub fn unknown_variables(names: impl Iterator<Item = OsString>) -> Vec<String> {
    let command = ServiceCli::command();
    let bare = command.clone().mut_args(|argument| argument.env(None::<&str>));
    let is_setting =
        |name: &str| command.get_arguments().any(|one| one.get_env().is_some_and(|env| env == name));
    let ours = names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with(PREFIX));
    let mut unknown: Vec<_> = ours.filter(|name| !is_setting(name) && !is_service_link(name)).collect();
    unknown.sort_unstable();
    let warning = |name: &String| {
        let key = name[PREFIX.len()..].to_lowercase().replace('_', "-");
        let similar = similar(&bare, &key).map(|name| name.to_uppercase().replace('-', "_"));
        let similar = similar.map(|name| format!("; did you mean {PREFIX}{name}?")).unwrap_or_default();
        format!("the variable {name:?} is no setting and is ignored{similar}")
    };
    unknown.iter().map(warning).collect()
}

/// Whether Kubernetes sets such a variable for a Service: `_SERVICE_HOST`, `_SERVICE_PORT`, `_SERVICE_PORT_<name>`,
/// `_PORT`, `_PORT_<number>_<protocol>` and parts of the latter.
fn is_service_link(name: &str) -> bool {
    let of_number = |(_, rest): (&str, &str)| rest.starts_with(|first: char| first.is_ascii_digit());
    name.ends_with("_SERVICE_HOST")
        || name.ends_with("_PORT")
        || name.contains("_SERVICE_PORT_")
        || name.split_once("_PORT_").is_some_and(of_number)
}

/// Returns all settings in the form of the settings file, each with its source.
fn print(command: &clap::Command, winners: &[(&Arg, WrittenValue)]) -> String {
    let mut text = String::new();
    for argument in
        command.get_arguments().filter(|argument| !NO_SETTINGS.contains(&argument.get_id().as_str()))
    {
        let long = argument.get_long().unwrap_or_default();
        let winner = winners.iter().find(|(other, _)| other.get_id() == argument.get_id());
        let defaults = argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
        let (texts, place) = match winner {
            Some((_, written)) => (written.texts.clone(), written.place.clone()),
            None => (defaults.collect(), "default".into()),
        };
        let values: Vec<_> = texts.iter().map(|text| literal(argument, text)).collect();
        let line = match (values.as_slice(), argument.get_action()) {
            // A secret setting is never shown, whatever its source.
            _ if argument.is_hide_env_values_set() && winner.is_some() => {
                format!("# {long} is set, and not shown")
            }
            ([], ArgAction::SetTrue) => format!("{long} = false"),
            ([], _) => format!("# {long} is not set"),
            (values, ArgAction::Append) => format!("{long} = [{}]", values.join(", ")),
            (values, _) => format!("{long} = {}", values[0]),
        };
        writeln!(text, "{line}  # {place}").expect("a string takes everything");
    }
    text
}

fn literal(argument: &Arg, text: &str) -> String {
    let is_plain = !takes_text(argument) || text.parse::<u64>().is_ok();
    if is_plain { text.to_owned() } else { toml::Value::String(text.to_owned()).to_string() }
}

#[cfg(test)]
mod tests;
