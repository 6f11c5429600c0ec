//! A server of S3 on loopback, as much of it as archives need. It can be told to do what bad servers do. It looks at no
//! signature.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use canasta_recorder::archive::ArchiveSettings;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Number of objects on a page of a list.
const PAGE: usize = 20;

/// The conduct of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conduct {
    Sound,
    /// Replaces objects whatever the put says, as servers did before 2024.
    IgnoresConditions,
    /// Refuses every put with a condition.
    RefusesConditions,
    /// Answers nothing but 503.
    Away,
    /// Flips a bit in each object that it sends.
    Flips,
    /// Lists the last object first.
    ListsBackwards,
}

type Objects = BTreeMap<String, Vec<u8>>;

/// A server with one bucket, `games`.
#[derive(Clone)]
pub struct S3Server {
    pub endpoint: String,
    state: Arc<Mutex<(Objects, Conduct, usize)>>,
}

impl S3Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("a bound listener has an address"));
        let state = Arc::new(Mutex::new((Objects::new(), Conduct::Sound, 0)));
        let server = Self { endpoint, state };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = serving.clone();
                tokio::spawn(async move { server.serve(stream).await });
            }
        });
        server
    }

    /// Returns the settings of an archive here; the folder gets a file with credentials.
    pub fn settings(&self, folder: &Path) -> ArchiveSettings {
        use std::os::unix::fs::PermissionsExt;
        let file = folder.join("credentials");
        let text = "[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = wJalrXUtnFEMI\n";
        std::fs::write(&file, text).expect("a folder of its own");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).expect("our file");
        ArchiveSettings {
            archive: Some("s3://games/club".into()),
            archive_endpoint: Some(self.endpoint.clone()),
            archive_credentials: Some(file),
            archive_ca: None,
        }
    }

    pub fn behave(&self, conduct: Conduct) {
        self.lock().1 = conduct;
    }

    /// Returns the objects by their keys.
    pub fn objects(&self) -> Objects {
        self.lock().0.clone()
    }

    /// Returns the number of lists that were sent.
    pub fn lists(&self) -> usize {
        self.lock().2
    }

    fn lock(&self) -> MutexGuard<'_, (Objects, Conduct, usize)> {
        self.state.lock().expect("no panic")
    }

    async fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await.ok().filter(|length| *length > 0)?;
            let mut words = line.split_whitespace().map(str::to_owned);
            let (method, target) = (words.next()?, words.next()?);
            let (mut length, mut has_condition) = (0, false);
            loop {
                let mut header = String::new();
                stream.read_line(&mut header).await.ok()?;
                let Some((name, value)) = header.split_once(':') else { break };
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.trim().parse().ok()?,
                    "if-none-match" => has_condition = value.trim() == "*",
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).await.ok()?;
            let (status, answer) = self.answer(&method, &target, has_condition, body);
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {}\r\netag: \"e\"\r\n\
                 last-modified: Tue, 24 Nov 2026 12:00:00 GMT\r\n\r\n",
                answer.len()
            );
            stream.write_all(head.as_bytes()).await.ok()?;
            if method != "HEAD" {
                stream.write_all(&answer).await.ok()?;
            }
        }
    }

    fn answer(
        &self,
        method: &str,
        target: &str,
        has_condition: bool,
        body: Vec<u8>,
    ) -> (&'static str, Vec<u8>) {
        let mut state = self.lock();
        let (objects, conduct, lists) = &mut *state;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let key = path.strip_prefix("/games").expect("the bucket").trim_start_matches('/').to_owned();
        match (method, key.is_empty()) {
            _ if *conduct == Conduct::Away => ("503 Slow Down", Vec::new()),
            ("GET", true) => {
                *lists += 1;
                ("200 OK", list(objects, query, *conduct == Conduct::ListsBackwards).into_bytes())
            }
            ("POST", true) => {
                let (text, mut answer) = (String::from_utf8(body).expect("XML"), String::new());
                for key in text.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next()) {
                    objects.remove(key);
                    let _ = write!(answer, "<Deleted><Key>{key}</Key></Deleted>");
                }
                ("200 OK", format!("<DeleteResult>{answer}</DeleteResult>").into_bytes())
            }
            ("GET" | "HEAD", false) => match objects.get(&key) {
                None => ("404 Not Found", Vec::new()),
                Some(object) if *conduct == Conduct::Flips => {
                    let mut object = object.clone();
                    let middle = object.len() / 2;
                    object[middle] ^= 1;
                    ("200 OK", object)
                }
                Some(object) => ("200 OK", object.clone()),
            },
            ("PUT", false) => {
                let is_there = objects.contains_key(&key) && *conduct != Conduct::IgnoresConditions;
                if has_condition && (is_there || *conduct == Conduct::RefusesConditions) {
                    return ("412 Precondition Failed", Vec::new());
                }
                objects.insert(key, body);
                ("200 OK", Vec::new())
            }
            other => panic!("{other:?} {target}"),
        }
    }
}

/// Lists a page of objects in XML.
fn list(objects: &Objects, query: &str, is_backwards: bool) -> String {
    let field = |name: &str| {
        let mut fields = query.split('&').filter_map(|field| field.split_once('='));
        let found = fields.find(|(field, _)| *field == name).map(|(_, value)| value.replace("%2F", "/"));
        found.unwrap_or_default()
    };
    let after = field("start-after").max(field("continuation-token"));
    let wanted = |key: &&String| key.starts_with(&field("prefix")) && **key > after;
    let mut keys: Vec<_> = objects.keys().filter(wanted).take(PAGE + 1).collect();
    let goes_on = keys.len() > PAGE;
    keys.truncate(PAGE);
    let mut xml = String::from("<ListBucketResult>");
    if goes_on {
        let last = keys.last().expect("a page");
        let _ = write!(xml, "<NextContinuationToken>{last}</NextContinuationToken>");
    }
    if is_backwards {
        keys.reverse();
    }
    for key in keys {
        let _ = write!(
            xml,
            "<Contents><Key>{key}</Key><Size>{}</Size><LastModified>2026-11-24T12:00:00.000Z</LastModified>\
             <ETag>\"e\"</ETag></Contents>",
            objects[key].len()
        );
    }
    xml + "</ListBucketResult>"
}
