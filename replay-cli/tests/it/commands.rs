//! docs/reference/COMMANDS.md, which is generated from the help of every command.
//!
//! `UPDATE_DOCS=1 cargo test -p canasta-replay --test it commands::` writes the page.

use std::{env, fs, path::Path};

use canasta_replay::Cli;
use clap::{Arg, Command, CommandFactory};

const HEAD: &str = "\
# Every command and option of `canasta-replay`

<!-- Generated from the help: UPDATE_DOCS=1 cargo test -p canasta-replay --test it commands:: -->

`canasta-replay help COMMAND` says the same. [CLI](../judge/CLI.md) shows the commands at work.
These options belong to every command:
";
const ROWS: &str = "\n| argument | meaning |\n| --- | --- |\n";

/// Returns paragraphs of the help as Markdown. One with indented lines is shown as it is.
fn prose(text: &str) -> String {
    let one = |text: &str| match text.contains("\n  ") {
        true => format!("```text\n{text}\n```"),
        false => text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*"),
    };
    text.split("\n\n").map(one).collect::<Vec<_>>().join("\n\n")
}

/// Returns the row of an argument: its form, then its help, its values and its default.
fn row(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).expect("an argument has help").to_string();
    let mut text = format!("| `{argument}` | {}", prose(&help.replace('\n', " ")));
    if argument.get_action().takes_values() {
        for value in argument.get_possible_values().iter().filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(|help| prose(&format!(": {help}")));
            text += &format!("<br>`{}`{}", value.get_name(), help.unwrap_or_default());
        }
        text.extend(
            argument.get_default_values().iter().map(|of| format!("<br>Default: `{}`", of.display())),
        );
    }
    text + " |\n"
}

/// Returns the sections of a command and of those below it, without the options that all commands have.
fn sections(command: &Command) -> String {
    let name = command.get_bin_name().expect("a built command").trim_start_matches("canasta-replay ");
    let texts = [command.get_long_about().or(command.get_about()), command.get_after_help()];
    let texts = texts.into_iter().flatten().map(|text| prose(&text.to_string()) + "\n");
    let texts = texts.collect::<Vec<_>>().join("\n");
    let rows: String =
        command.get_arguments().filter(|argument| !argument.is_global_set()).map(row).collect();
    let table = if rows.is_empty() { rows } else { ROWS.to_owned() + &rows };
    format!("\n## {name}\n\n{texts}{table}") + &command.get_subcommands().map(sections).collect::<String>()
}

#[test]
fn the_page_of_commands_is_what_the_help_says() {
    let mut program = Cli::command().disable_help_subcommand(true).disable_help_flag(true);
    program.build();
    let global = program.get_arguments().filter(|argument| argument.is_global_set()).map(row);
    let text = format!("{HEAD}{ROWS}{}", global.collect::<String>());
    let text = text + &program.get_subcommands().map(sections).collect::<String>();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/COMMANDS.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&page, &text).expect("docs is writable");
    }
    let found = fs::read_to_string(&page).unwrap_or_default();
    assert!(found == text, "docs/reference/COMMANDS.md is not the help: UPDATE_DOCS=1 writes it");
}
