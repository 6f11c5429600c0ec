//! The recorder's methods, in JSON over HTTP.

use crate::shared::text::count;
use crate::tournament::http::{self, HttpAddress};
use anyhow::{Context, bail, ensure};
use base64ct::{Base64, Encoding};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;
use ureq::Agent;

/// Maximum time of one request.
const PATIENCE: Duration = Duration::from_secs(20);
/// Maximum size of an answer, in bytes: a page of games, or a piece of a log.
const ANSWER_MAX: usize = 4 << 20;
/// Number of games in a page.
const PAGE: u64 = 100;
/// The beginning of the recorder's API keys; other credentials are tokens.
const API_KEY: &str = "canasta_";

/// A recorder, asked on behalf of the director.
pub struct Recorder {
    client: Agent,
    address: HttpAddress,
    /// Name and value of the header with the credentials.
    credentials: Option<(&'static str, String)>,
}

pub struct ListedGame {
    pub id: [u8; 16],
    /// Number of records of its log.
    pub records: u64,
    /// Head of the last record.
    pub head: Vec<u8>,
    /// Whether no action has been accepted yet.
    pub is_new: bool,
    pub is_live: bool,
}

impl Recorder {
    /// Returns the recorder at an address. `secret` is an API key or a token.
    pub fn new(address: &HttpAddress, secret: Option<&str>) -> Self {
        let header = |secret: &str| match secret.starts_with(API_KEY) {
            true => ("x-api-key", secret.to_owned()),
            false => ("authorization", format!("Bearer {secret}")),
        };
        Self { client: http::client(PATIENCE), address: address.clone(), credentials: secret.map(header) }
    }

    /// Lists the games of the director, of a label if it is given.
    pub fn games(&self, label: Option<&str>) -> anyhow::Result<Vec<ListedGame>> {
        let (mut games, mut page) = (Vec::new(), String::new());
        loop {
            let request = json!({"actor": {"role": "ROLE_DIRECTOR"}, "pageSize": PAGE, "pageToken": page,
                "label": label.unwrap_or_default()});
            let answer = self.call("ListGames", &request)?;
            for game in answer["games"].as_array().into_iter().flatten() {
                games.push(listed(game).context("a game of the list lacks a field")?);
            }
            match answer["nextPageToken"].as_str() {
                Some(next) if !next.is_empty() => page = next.to_owned(),
                _ => return Ok(games),
            }
        }
    }

    /// Returns whole records of a game's log from a record on, as many as one answer has.
    pub fn records(&self, game: &[u8; 16], from: u64) -> anyhow::Result<Vec<u8>> {
        let request = json!({"gameId": Base64::encode_string(game), "actor": {"role": "ROLE_DIRECTOR"},
            "fromN": from.to_string()});
        let answer = self.call("GetLog", &request)?;
        bytes(&answer["frames"]).context("the recorder sent no records")
    }

    /// Takes the table's first action in a game, which is the deal or the first card drawn for a seat. The request is the same
    /// each time, so the action is recorded once.
    pub fn begin(&self, game: &[u8; 16]) -> anyhow::Result<()> {
        let (id, table) = (Base64::encode_string(game), json!({"role": "ROLE_TABLE"}));
        let suggested = self.call("Suggest", &json!({"gameId": &id, "actor": &table}))?;
        let action = suggested.get("action").context("the table cannot deal yet")?;
        let digest = Sha256::new().chain_update(b"canasta-begin/1\0").chain_update(game).finalize();
        let acted = self.call(
            "Act",
            &json!({"gameId": id, "requestId": Base64::encode_string(&digest[..16]), "expectedSeq": "0",
                "proposals": [{"actor": table, "action": action}]}),
        )?;
        match acted["rejected"]["violations"][0]["message"].as_str() {
            Some(why) => bail!("the table's first action is refused: {why}"),
            None => Ok(()),
        }
    }

    fn call(&self, method: &str, request: &Value) -> anyhow::Result<Value> {
        let url = format!("{}/canasta.v1.RecordService/{method}", self.address);
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(self.credentials.as_ref().map(|(name, value)| (*name, value.as_str())));
        let answer = http::post(&self.client, &url, &headers, &request.to_string(), ANSWER_MAX);
        let answer = answer.with_context(|| self.address.to_string())?;
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let why = || {
            body["message"].as_str().map_or_else(|| count(answer.body.len() as u64, "byte"), str::to_owned)
        };
        ensure!(answer.status == 200, "{}: {method}: status {}: {}", self.address, answer.status, why());
        ensure!(body.is_object(), "{}: {method}: expected JSON", self.address);
        Ok(body)
    }
}

fn listed(game: &Value) -> Option<ListedGame> {
    let end = &game["logEnd"];
    // Zero is left out.
    let number = |value: &Value| value.as_str().map_or(Some(0), |text| text.parse::<u64>().ok());
    Some(ListedGame {
        id: bytes(&game["gameId"])?.try_into().ok()?,
        records: number(&end["n"])? + 1,
        head: bytes(&end["head"])?,
        is_new: number(&end["seq"])? == 0,
        is_live: game["status"] == "GAME_STATUS_LIVE",
    })
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    Base64::decode_vec(value.as_str()?).ok()
}
