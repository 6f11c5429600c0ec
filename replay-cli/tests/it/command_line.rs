//! The command line as a shell and a terminal see it: completions, colours, and the width of lines.

use crate::common::{command, directory};
use canasta_replay::{Cli, Exit, columns, wants_no_color};
use clap::CommandFactory;
use std::fs;
use std::process::Command;

fn names() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = command(&["completions", shell], &[]);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        let script = String::from_utf8(ran.out).expect("text");
        for name in names() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
    }
}

/// Terminals differ in width: a text that has line breaks of its own would be wrapped twice.
#[test]
fn help_texts_are_wrapped_by_the_terminal_only() {
    fn check(command: &clap::Command) {
        let name = command.get_name();
        let texts = command.get_arguments().filter_map(|argument| argument.get_help());
        for text in texts.chain(command.get_about()) {
            assert!(!text.to_string().contains('\n'), "{name}: {text}");
        }
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for paragraph in after.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
            let mut lines = paragraph.lines();
            let first = lines.next().unwrap_or_default();
            let is_example = |line: &str| line.starts_with("  ");
            assert!(lines.all(is_example), "{name}: {paragraph}");
            assert!(is_example(first) || first.ends_with(['.', ':', ',']), "{name}: {first}");
        }
        command.get_subcommands().for_each(check);
    }
    check(&Cli::command());
}

/// A word on the command line that is completed: the words before it, its beginning, and words that must be offered.
type Completed = (Vec<String>, String, Vec<String>);

/// Returns what every command must offer: its options, its subcommands, and the values of its options.
fn expected(command: &clap::Command, before: &[String]) -> Vec<Completed> {
    let with = |word: &str| [before, &[word.to_owned()]].concat();
    let longs = command.get_arguments().filter_map(|argument| argument.get_long());
    let mut cases =
        vec![(before.to_vec(), "--".to_owned(), longs.map(|long| format!("--{long}")).collect::<Vec<_>>())];
    for argument in command.get_arguments() {
        let values = argument.get_possible_values();
        let values: Vec<String> = values.iter().map(|value| value.get_name().to_owned()).collect();
        if let Some(long) =
            argument.get_long().filter(|_| argument.get_action().takes_values() && !values.is_empty())
        {
            cases.push((with(&format!("--{long}")), String::new(), values));
        }
    }
    let names: Vec<String> =
        command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    if !names.is_empty() {
        cases.push((before.to_vec(), String::new(), names));
    }
    for subcommand in command.get_subcommands() {
        cases.extend(expected(subcommand, &with(subcommand.get_name())));
    }
    cases
}

/// Checks in a real bash that whatever the command line has is completed, below every command.
#[test]
fn bash_completes_every_command_option_and_value() {
    let place = directory("completions");
    let script = place.join("canasta-replay.bash");
    fs::write(&script, command(&["completions", "bash"], b"").out).unwrap();
    let mut tree = Cli::command();
    tree.build();
    let cases = expected(&tree, &["canasta-replay".to_owned()]);
    assert!(cases.len() > 100);
    let mut driver = format!("source {}\n", script.display());
    for (words, word, _) in &cases {
        let (before, count) = (words.last().unwrap(), words.len());
        driver += &format!("COMP_WORDS=({} '{word}'); COMP_CWORD={count}; COMPREPLY=()\n", words.join(" "));
        driver +=
            &format!("_canasta__replay canasta-replay '{word}' {before}; echo \" ${{COMPREPLY[*]}} \"\n");
    }
    let ran = Command::new("bash").args(["--norc", "--noprofile", "-c", &driver]).output().expect("bash");
    let out = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(out.lines().count(), cases.len(), "{}", String::from_utf8_lossy(&ran.stderr));
    for ((words, word, wanted), offered) in cases.iter().zip(out.lines()) {
        let missing: Vec<_> = wanted.iter().filter(|name| !offered.contains(&format!(" {name} "))).collect();
        assert!(missing.is_empty(), "{words:?} {word:?}: {missing:?} not in {offered:?}");
    }
}

#[test]
fn a_terminal_that_tells_no_width_wraps_nothing() {
    assert_eq!([0, 1, 19, 20, 80].map(columns), [None, None, None, Some(20), Some(80)]);
}

#[test]
fn a_dumb_terminal_and_no_color_want_no_colours() {
    let of =
        |name: &'static str, value: &'static str| move |asked: &str| (asked == name).then(|| value.into());
    assert!(wants_no_color(of("NO_COLOR", "1")) && wants_no_color(of("TERM", "dumb")));
    assert!(!wants_no_color(of("NO_COLOR", "")) && !wants_no_color(of("TERM", "xterm")));
}
