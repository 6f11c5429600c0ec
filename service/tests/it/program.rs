//! The program's exit codes and its end.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

fn program(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_canasta-service"));
    // A setting with a slip, which the log names.
    command.env("CANASTA_MAX_RATES", "7");
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs")
}

/// Waits for the program. Returns its exit code and its output on stderr.
fn end(mut program: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    let mut stderr = program.stderr.take().expect("piped");
    stderr.read_to_string(&mut said).expect("text");
    (program.wait().expect("it ends").code(), said)
}

#[test]
fn bad_configuration_is_exit_code_64() {
    let table: [(&[&str], &str); 5] = [
        (&["--listen", "nowhere"], "--listen"),
        (&["--max-requests", "0"], "--max-requests"),
        (&["serve"], "serve"),
        (&["--listen", "0.0.0.0:0"], "0.0.0.0:0 is reachable from elsewhere"),
        (&["--config", "/no/such/file"], "/no/such/file: No such file"),
    ];
    for (arguments, part) in table {
        let (code, said) = end(program(arguments));
        assert_eq!(code, Some(64), "{said}");
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(end(program(&["--help"])).0, Some(0));
    assert_eq!(end(program(&["--print-config"])).0, Some(0));
}

#[test]
fn a_port_in_use_is_exit_code_2_and_names_the_address() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = taken.local_addr().expect("bound").to_string();
    let (code, said) = end(program(&["--listen", &address]));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&format!("cannot listen on {address}: ")) && said.contains("--listen"), "{said}");
}

#[test]
fn a_log_in_json_is_an_object_a_line() {
    let mut service = program(&["--listen", "127.0.0.1:0", "--log-format", "json", "--drain-notice-ms", "0"]);
    let mut stderr = BufReader::new(service.stderr.take().expect("piped"));
    let mut first = String::new();
    stderr.read_line(&mut first).expect("text");
    for part in ["\"level\":\"INFO\"", "\"message\":\"listening\"", "\"address\":\"127.0.0.1:"] {
        assert!(first.contains(part), "{first}");
    }
    let pid = service.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    let mut said = String::new();
    stderr.read_to_string(&mut said).expect("text");
    assert_eq!(service.wait().expect("it ends").code(), Some(0), "{said}");
    let lines: Vec<_> = said.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with('{') && line.ends_with('}')), "{said}");
    assert!(lines[0].contains("did you mean CANASTA_MAX_RATE?") && lines[0].contains("WARN"), "{said}");
    assert!(lines.last().is_some_and(|line| line.contains("\"message\":\"drained\"")), "{said}");
}

/// Ends the program by SIGTERM (of `kill` and of platforms) and by SIGINT, with a silent client attached.
#[test]
fn a_signal_ends_it_cleanly() {
    for signal in ["-TERM", "-INT"] {
        let waits = ["--drain-notice-ms", "50", "--preface-deadline-ms", "300"];
        let mut service = program(&[&["--listen", "127.0.0.1:0"][..], &waits].concat());
        let mut stderr = BufReader::new(service.stderr.take().expect("piped"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("text");
        let address = line.trim_end().rsplit(' ').next().expect("it names its address");
        let _silent = TcpStream::connect(address).expect("it listens");
        let pid = service.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("kill runs").success());
        let mut said = String::new();
        stderr.read_to_string(&mut said).expect("text");
        assert_eq!(service.wait().expect("it ends").code(), Some(0), "{said}");
        assert!(said.contains("drained"), "{said}");
    }
}
