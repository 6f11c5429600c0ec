//! `keygen`: makes a key that signs checkpoints, or the secret of a board.

use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::text::hex;
use anyhow::Context;
use canasta_engine::deal::{Board, GameId, GameSecret};
use canasta_tournament::boards::NamedBoard;
use canasta_tournament::checkpoint::check_origin;
use canasta_tournament::cosign::WitnessKey;
use canasta_tournament::key_file;
use canasta_tournament::note::NoteSigner;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `keygen`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the key, for example your tournament's domain; 1 to 64 bytes without blanks and plus signs
    #[arg(value_name = "NAME")]
    name: String,
    /// Print the public key of a witness, which signs checkpoints of others and their time
    #[arg(long)]
    witness: bool,
    /// Print the public key of a player as 64 hex digits, as the register of a policy and a `key` line of a sheet have it
    #[arg(long, conflicts_with = "witness")]
    player: bool,
    /// Make the secret of a board, whose cards are the same at all its tables, and print its id and its commitment
    #[arg(long, conflicts_with_all = ["witness", "player"])]
    board: bool,
    /// The file of the private key or of the board; an existing file is never overwritten
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The private key goes to FILE, which only you can read. The public key is printed: publish it, and \
auditors pass it to audit --key. Whoever has FILE can sign in your name.

Example:
  canasta-replay keygen open-2026.example -o table.key > table.pub
  canasta-replay keygen witness.example --witness -o witness.key > witness.pub
  canasta-replay keygen anna.example --player -o anna.key > anna.pub
  canasta-replay keygen 7 --board -o board-7.key";

/// Makes a key pair, or the secret of a board.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (line, value) = if args.board { make_board(args)? } else { make_key(args)? };
    match args.format {
        OutputFormat::Text => writeln!(io.out, "{line}")?,
        OutputFormat::Json => io.write_value(&value)?,
    }
    Ok(Exit::Clean)
}

fn make_key(args: &Args) -> anyhow::Result<(String, Value)> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).ok().context("the system gave no random bytes")?;
    let signer = NoteSigner::new(&args.name, &secret)?;
    let path = args.out.display().to_string();
    key_file::write_new(&args.out, &signer).with_context(|| path.clone())?;
    let verifier = signer.verifier();
    let key = match (args.witness, args.player) {
        (true, _) => WitnessKey::of(&signer).to_string(),
        (_, true) => hex(verifier.bytes()),
        _ => verifier.to_string(),
    };
    let value = json!({ "format": "canasta-keygen/1", "name": verifier.name(), "key": key, "path": path });
    Ok((key, value))
}

fn make_board(args: &Args) -> anyhow::Result<(String, Value)> {
    check_origin(&args.name).context("NAME")?;
    let mut random = [0; 80];
    getrandom::fill(&mut random).ok().context("the system gave no random bytes")?;
    let (id, secret) = random.split_first_chunk().expect("80 bytes are an id and a secret");
    let secret = GameSecret(secret.try_into().expect("64 bytes are left"));
    let board = NamedBoard { name: args.name.clone(), board: Board { id: GameId(*id), secret } };
    let path = args.out.display().to_string();
    board.write_new(&args.out).with_context(|| path.clone())?;
    let (id, commitment) = (hex(id), hex(&board.board.commitment().0));
    let value = json!({
        "format": "canasta-keygen/1", "name": board.name, "board_id": id, "commitment": commitment, "path": path,
    });
    Ok((format!("{id} {commitment}"), value))
}
