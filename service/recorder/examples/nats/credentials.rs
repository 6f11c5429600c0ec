//! Files with credentials: a recorder that proves who it is by an nkey or a JWT is let in, and nobody else is.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use base64ct::{Base64UrlUnpadded, Encoding as _};
use canasta_recorder::journal::nats::NatsOptions;
use nkeys::{KeyPair, KeyPairType};

use crate::nodes::Nodes;
use crate::refusals::refused;

pub async fn run(program: &Path) {
    nkey(program).await;
    jwt(program).await;
}

async fn nkey(program: &Path) {
    let user = key(KeyPairType::User, 7);
    let users = format!("authorization {{ users: [{{ nkey: {} }}]", user.public_key());
    let nodes = Nodes::start_with(program, &behind_jetstream(&users));
    let file = secret_file(&nodes, &user.seed().expect("a pair with its seed"));
    let options = NatsOptions { nats_credentials: Some(file.clone()), ..nodes.options(1) };
    drop(nodes.journal_with(&options).await);
    println!("let in by an nkey");
    refused(&nodes, &nodes.options(1), "the NATS servers: ", "authorization violation").await;
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("a file of our own");
    refused(&nodes, &options, &file.display().to_string(), "").await;
}

/// Lets an operator name accounts, and an account its users, as JWTs of NATS do.
async fn jwt(program: &Path) {
    let [operator, system, club] =
        [(KeyPairType::Operator, 1), (KeyPairType::Account, 2), (KeyPairType::Account, 3)]
            .map(|(kind, byte)| key(kind, byte));
    let named = jwt_of(&operator, &operator, "\"type\":\"operator\"");
    let limits = ["subs", "data", "payload", "imports", "exports", "conn", "leaf"].map(unlimited).join(",");
    let stored = ["mem_storage", "disk_storage", "streams", "consumer"].map(unlimited).join(",");
    let accounts =
        [(&system, limits.clone()), (&club, format!("{limits},{stored}"))].map(|(account, limits)| {
            let content = format!("\"type\":\"account\",\"limits\":{{{limits},\"wildcards\":true}}");
            format!("{}: {}", account.public_key(), jwt_of(account, &operator, &content))
        });
    let [about_system, about_club] = accounts;
    let system = system.public_key();
    let named = format!(
        "operator: {named}\nsystem_account: {system}\nresolver: MEMORY\n\
         resolver_preload {{ {about_system}\n{about_club}"
    );
    let nodes = Nodes::start_with(program, &behind_jetstream(&named));
    let user = key(KeyPairType::User, 7);
    // Of a user of the club, and of one whom an account of nobody lets in.
    let credentials = [club, key(KeyPairType::Account, 4)].map(|account| {
        let limits = ["subs", "data", "payload"].map(unlimited).join(",");
        let jwt = jwt_of(&user, &account, &format!("\"type\":\"user\",{limits}"));
        let seed = user.seed().expect("a pair with its seed");
        let [jwt, seed] = [("USER JWT", jwt), ("USER NKEY SEED", seed)].map(|(what, text)| {
            format!("-----BEGIN NATS {what}-----\n{text}\n------END NATS {what}------\n")
        });
        jwt + &seed
    });
    let [club, nobody] = &credentials;
    let with = |text| NatsOptions { nats_credentials: Some(secret_file(&nodes, text)), ..nodes.options(1) };
    drop(nodes.journal_with(&with(club)).await);
    println!("let in by a JWT");
    refused(&nodes, &with(nobody), "the NATS servers: ", "authorization violation").await;
    refused(&nodes, &nodes.options(1), "the NATS servers: ", "authorization violation").await;
    refused(&nodes, &with("-----BEGIN NATS USER JWT-----"), &nodes.folder().display().to_string(), "").await;
}

fn key(kind: KeyPairType, byte: u8) -> KeyPair {
    KeyPair::new_from_raw(kind, [byte; 32]).expect("any 32 bytes make a pair")
}

/// Returns lines of the servers' configuration as lines for the section of JetStream, which ends where the last section of
/// these would.
fn behind_jetstream(lines: &str) -> String {
    format!("sync_interval: always }}\n{lines}")
}

fn secret_file(nodes: &Nodes, text: &str) -> PathBuf {
    let file = nodes.folder().join("credentials");
    std::fs::write(&file, text).expect("a folder of our own");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("a file of our own");
    file
}

fn unlimited(name: &str) -> String {
    format!("\"{name}\":-1")
}

/// Returns what an issuer says of a subject.
fn jwt_of(subject: &KeyPair, issuer: &KeyPair, content: &str) -> String {
    let (subject, key) = (subject.public_key(), issuer.public_key());
    let claims = format!(
        "{{\"jti\":\"1\",\"iat\":1700000000,\"iss\":\"{key}\",\"name\":\"test\",\"sub\":\"{subject}\",\
         \"nats\":{{\"version\":2,{content}}}}}"
    );
    let encode = |bytes: &[u8]| Base64UrlUnpadded::encode_string(bytes);
    let text = format!("{}.{}", encode(br#"{"typ":"JWT","alg":"ed25519-nkey"}"#), encode(claims.as_bytes()));
    let signature = encode(&issuer.sign(text.as_bytes()).expect("a pair with its seed"));
    format!("{text}.{signature}")
}
