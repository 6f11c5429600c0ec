//! Reader of files with secrets: nobody else may read them, and the memory of their text is wiped.

use std::path::Path;

use zeroize::Zeroizing;

/// Maximum length of such a file, in bytes.
const FILE_MAX: usize = 1 << 16;

/// A file with secrets that cannot be used. The error shows nothing of the content.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("other users can read the file: run chmod 600 on it first")]
    Exposed,
    #[error("expected at most {FILE_MAX} bytes")]
    TooLong,
}

/// Reads the text of a file with secrets.
///
/// # Errors
/// If the file cannot be read, is too long or no text, or if other users can read it.
pub fn read(path: &Path) -> Result<Zeroizing<String>, SecretError> {
    let file = std::fs::File::open(path)?;
    #[cfg(unix)]
    if is_exposed(&file.metadata()?) {
        return Err(SecretError::Exposed);
    }
    // Some more than can be read, since text that has to grow leaves copies behind.
    let mut text = Zeroizing::new(String::with_capacity(FILE_MAX + 1024));
    std::io::Read::read_to_string(&mut std::io::Read::take(file, FILE_MAX as u64 + 1), &mut text)?;
    if text.len() > FILE_MAX { Err(SecretError::TooLong) } else { Ok(text) }
}

/// Whether other users may read the file. If the file belongs to another user, its group may read it, which
/// is how platforms hand out secrets.
#[cfg(unix)]
fn is_exposed(file: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let is_ours = std::fs::metadata("/proc/self").map_or(true, |ours| ours.uid() == file.uid());
    file.mode() & if is_ours { 0o077 } else { 0o037 } != 0
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_what_nobody_else_can_read_is_read() {
        let path = std::env::temp_dir().join(format!("canasta-secret-{}", std::process::id()));
        let found = |mode: u32, text: &str| {
            std::fs::write(&path, text).expect("a directory for files");
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("our file");
            let found = read(&path).map(|text| text.to_string()).map_err(|error| error.to_string());
            std::fs::remove_file(&path).expect("our file");
            found
        };
        let exposed = Err("other users can read the file: run chmod 600 on it first".to_owned());
        let table =
            [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o644, false), (0o620, false)];
        for (mode, is_private) in table {
            let expected = if is_private { Ok("secret".to_owned()) } else { exposed.clone() };
            assert_eq!(found(mode, "secret"), expected, "{mode:o}");
        }
        assert_eq!(found(0o600, &"x".repeat(FILE_MAX)).map(|text| text.len()), Ok(FILE_MAX));
        let long = found(0o600, &"x".repeat(FILE_MAX + 1));
        assert_eq!(long, Err("expected at most 65536 bytes".to_owned()));
        assert!(read(&path).is_err_and(|error| error.to_string().starts_with("No such file")));
    }

    /// Gives a file to another user, which only root can do: elsewhere the test says so and ends.
    #[test]
    fn the_group_of_another_users_file_may_read_it() {
        let path = std::env::temp_dir().join(format!("canasta-secret-of-another-{}", std::process::id()));
        std::fs::write(&path, "secret").expect("a directory for files");
        if let Err(error) = std::os::unix::fs::chown(&path, Some(65_532), None) {
            std::fs::remove_file(&path).expect("our file");
            return println!("skipped: root alone gives files away ({error})");
        }
        let table =
            [(0o440, true), (0o400, true), (0o640, true), (0o460, false), (0o444, false), (0o441, false)];
        let found = table.map(|(mode, _)| {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("root may");
            (mode, read(&path).is_ok())
        });
        std::fs::remove_file(&path).expect("our file");
        assert_eq!(found, table);
    }
}
