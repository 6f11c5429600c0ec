//! Completion scripts and manual pages: each names every command.

mod common;

use canasta_replay::{Cli, Exit};
use clap::CommandFactory;
use common::{command, directory};
use std::fs;

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

#[test]
fn every_command_has_a_manual_page_with_its_options() {
    let place = directory("man");
    let pages = place.join("pages");
    for _ in 0..2 {
        let ran = command(&["man", pages.to_str().unwrap()], &[]);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }
    let program = fs::read_to_string(pages.join("canasta-replay.1")).unwrap();
    for subcommand in Cli::command().get_subcommands() {
        let name = subcommand.get_name();
        let page = fs::read_to_string(pages.join(format!("canasta-replay-{name}.1"))).unwrap();
        for option in subcommand.get_arguments().filter_map(|argument| argument.get_long()) {
            let escaped = format!("\\-\\-{}", option.replace('-', "\\-"));
            assert!(page.contains(&escaped), "{name}: {option}");
        }
        assert!(program.contains(&name.replace('-', "\\-")), "{name}");
    }
    let file = place.join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(command(&["man", file.to_str().unwrap()], &[]).exit, Exit::Failure);
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
