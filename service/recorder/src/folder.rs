//! The folder of a recorder: its journal, its keys and, unless it is elsewhere, its archive. Only the recorder's own user may read it, and only one recorder
//! uses it at a time.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use base64ct::{Base64, Encoding};
use canasta_serve::config::Config;
use canasta_serve::outside::{Generator, NoRandomness};
use canasta_serve::secret;
use canasta_serve::signer::CheckpointSigner;
use canasta_service::seal;
use zeroize::Zeroizing;

use crate::keys::{KEY_BYTES, RecorderKey};

pub const ARCHIVE: &str = "archive";
const RECORDER_KEY: &str = "recorder.key";
pub const SEAL_KEYS: &str = "seal.keys";
pub const SIGNING_KEY: &str = "signing.key";
pub const PUBLIC_KEYS: &str = "signing.pub";
/// All of them, and the public keys of those that have signed.
pub const KEY_FILES: [&str; 4] = [RECORDER_KEY, SEAL_KEYS, SIGNING_KEY, PUBLIC_KEYS];
/// The name under which the recorder signs.
const SIGNER: &str = "canasta-recorder";

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A file is not as it must be: other users may use it, it is missing, or holds no key.
    #[error("{}: {problem}", path.display())]
    Unusable { path: PathBuf, problem: String },
}

/// The folder of a recorder. Unless it was opened beside one, no other recorder uses it for as long as this value exists.
pub struct RecorderFolder {
    path: PathBuf,
    /// The file of the journal, or a file that stands for a journal elsewhere.
    journal: PathBuf,
    key: RecorderKey,
    lock: File,
    /// Whether no other recorder uses the folder.
    is_own: bool,
}

impl RecorderFolder {
    /// Opens a folder. Creates a new one with its files; `config` may name keys elsewhere. The file `journal` in it, which
    /// is created empty, shows that the keys are complete.
    ///
    /// # Errors
    /// If another recorder uses the folder, other users may use a file, a file cannot be read or written, or a key is
    /// missing beside a journal.
    pub fn open(
        path: &Path,
        journal: &str,
        config: &Config,
        generator: Generator,
    ) -> Result<Self, FolderError> {
        if !path.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(at(path))?;
        }
        check_mode(path, 0o700)?;
        let lock_file = path.join("recorder.lock");
        let lock = private().open(&lock_file).map_err(at(&lock_file))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(unusable(path)("another recorder uses this folder")),
            Err(TryLockError::Error(error)) => return Err(at(&lock_file)(error)),
        }
        // A folder in a checkout keeps its keys out of commits.
        let ignored = path.join(".gitignore");
        if !ignored.exists() {
            create(&ignored, Ok(Zeroizing::new("*\n".into())))?;
        }
        let (journal, recorder_key) = (path.join(journal), path.join(RECORDER_KEY));
        let seal_keys =
            Some(path.join(SEAL_KEYS)).filter(|file| config.seal_key_file.is_none() && !file.exists());
        for key in Self::missing_keys(path, config).into_iter().chain(seal_keys) {
            if journal.exists() {
                let problem = "the key is missing, but there is a journal: put the key back";
                return Err(unusable(&key)(problem));
            }
            make_key(&key, generator)?;
        }
        // Last, since a journal shows that the keys are complete.
        private().open(&journal).map_err(at(&journal))?;
        for entry in fs::read_dir(path).map_err(at(path))? {
            let file = entry.map_err(at(path))?.path();
            if file.is_file() {
                check_mode(&file, 0o600)?;
            }
        }
        let key = read_key(&recorder_key)?;
        let folder = Self { path: path.to_owned(), journal, key, lock, is_own: true };
        folder.note_public_key(config.signing_key_file.as_deref().unwrap_or(&folder.file(SIGNING_KEY)))?;
        Ok(folder)
    }

    /// Returns the keys that a folder needs and lacks, except those that seal states: live games end without those.
    pub fn missing_keys(path: &Path, config: &Config) -> Vec<PathBuf> {
        let needed = [(RECORDER_KEY, true), (SIGNING_KEY, config.signing_key_file.is_none())];
        let files = needed.into_iter().filter(|(_, is_needed)| *is_needed).map(|(name, _)| path.join(name));
        files.filter(|file| !file.exists()).collect()
    }

    /// Opens the folder of a recorder that may be running, for a program beside it. Nothing is created but a lock that is missing.
    ///
    /// # Errors
    /// If there is no journal or no key, other users may use a file, or a file cannot be read.
    pub fn beside(path: &Path, journal: &str) -> Result<Self, FolderError> {
        check_mode(path, 0o700)?;
        for file in [journal, RECORDER_KEY] {
            check_mode(&path.join(file), 0o600)?;
        }
        let (lock_file, recorder_key) = (path.join("recorder.lock"), path.join(RECORDER_KEY));
        // A backup has none.
        let lock = private().open(&lock_file).map_err(at(&lock_file))?;
        let key = read_key(&recorder_key)?;
        Ok(Self { path: path.to_owned(), journal: path.join(journal), key, lock, is_own: false })
    }

    /// Adds the public key of the signing key to those whose links are accepted.
    fn note_public_key(&self, signing_key: &Path) -> Result<(), FolderError> {
        let line = CheckpointSigner::read(signing_key).map_err(unusable(signing_key))?.verifier();
        let file = self.file(PUBLIC_KEYS);
        let known = match file.exists() {
            true => secret::read(&file).map_err(unusable(&file))?,
            false => Zeroizing::default(),
        };
        if known.lines().any(|known| known.trim() == line) {
            return Ok(());
        }
        let end = if known.is_empty() || known.ends_with('\n') { "" } else { "\n" };
        create(&file, Ok(Zeroizing::new(format!("{}{end}{line}\n", *known))))
    }

    /// Whether no other recorder uses the folder, since it was not opened beside one.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    pub fn key(&self) -> &RecorderKey {
        &self.key
    }

    /// Returns the file that the running recorder locks.
    ///
    /// # Errors
    /// If the system has no more file handles.
    pub fn lock(&self) -> std::io::Result<File> {
        self.lock.try_clone()
    }

    /// Returns the file of the journal.
    pub fn journal(&self) -> PathBuf {
        self.journal.clone()
    }

    /// Returns the folder [`ARCHIVE`], or the file of a key.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// Returns the options of a file that nobody else may use; a file that exists stays as it is.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(0o600);
    options
}

fn check_mode(path: &Path, widest: u32) -> Result<(), FolderError> {
    let mode = fs::metadata(path).map_err(at(path))?.mode() & 0o777;
    if mode & !widest != 0 {
        let problem = format!("other users may use it (mode {mode:o}): expected at most {widest:o}");
        return Err(unusable(path)(problem));
    }
    Ok(())
}

/// Names the path in the error of the operating system.
fn at(path: &Path) -> impl FnOnce(std::io::Error) -> FolderError {
    move |error| FolderError::Io { path: path.to_owned(), error }
}

/// Names the path in a problem.
fn unusable<P: ToString>(path: &Path) -> impl FnOnce(P) -> FolderError {
    move |problem| FolderError::Unusable { path: path.to_owned(), problem: problem.to_string() }
}

/// Makes the key of a file that does not exist.
///
/// # Errors
/// If there is no randomness, or the file cannot be written.
pub fn make_key(path: &Path, generator: Generator) -> Result<(), FolderError> {
    match path.file_name().and_then(|name| name.to_str()) {
        Some(SEAL_KEYS) => seal::keygen(path, generator).map(drop).map_err(unusable(path)),
        Some(SIGNING_KEY) => create(path, CheckpointSigner::generate(SIGNER, generator)),
        _ => create(path, draw(generator)),
    }
}

/// Writes a new secret file. The file is complete or absent, whenever the program is killed.
fn create(path: &Path, text: Result<Zeroizing<String>, NoRandomness>) -> Result<(), FolderError> {
    let text = text.map_err(unusable(path))?;
    let new = path.with_extension("new");
    write_synced(&new, text.as_bytes()).and_then(|()| fs::rename(&new, path)).map_err(at(path))
}

/// Writes a file that nobody else may read, and waits until it is on the disk.
pub fn write_synced(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

fn draw(generator: Generator) -> Result<Zeroizing<String>, NoRandomness> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    generator(&mut *key)?;
    let base64 = Zeroizing::new(Base64::encode_string(&*key));
    Ok(Zeroizing::new(format!("{}\n", *base64)))
}

fn read_key(path: &Path) -> Result<RecorderKey, FolderError> {
    let text = secret::read(path).map_err(unusable(path))?;
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    match Base64::decode(text.trim(), &mut *bytes) {
        Ok(key) if key.len() == KEY_BYTES => Ok(RecorderKey::new(&bytes)),
        _ => Err(unusable(path)(format!("expected {KEY_BYTES} bytes in base64"))),
    }
}
