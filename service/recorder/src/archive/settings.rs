//! The settings of the archive: where it is, and how it is reached.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{ArchiveFault, GameArchive, s3};

/// The settings of the archive.
#[derive(Clone, Debug, Default, Args)]
pub struct ArchiveSettings {
    /// Archive of finished games: file:FOLDER or s3://BUCKET/PREFIX. Unset: the folder `archive` in the folder of the data
    #[arg(long, env = "CANASTA_ARCHIVE", value_name = "URL", help_heading = "Archive")]
    pub archive: Option<String>,

    /// Server of an archive s3://, https://HOST:PORT; http:// on loopback only. Unset: AWS_ENDPOINT_URL, or else Amazon's in
    /// AWS_REGION
    #[arg(long, env = "CANASTA_ARCHIVE_ENDPOINT", value_name = "URL", help_heading = "Archive")]
    pub archive_endpoint: Option<String>,

    /// File with the credentials of S3, in the form of ~/.aws/credentials; its profile `default` is used. Unset: AWS's
    /// environment variables, or the role of the machine
    #[arg(long, env = "CANASTA_ARCHIVE_CREDENTIALS", value_name = "FILE", help_heading = "Archive")]
    pub archive_credentials: Option<PathBuf>,

    /// PEM file with the certificates that may sign the certificate of S3, besides those of the system
    #[arg(long, env = "CANASTA_ARCHIVE_CA", value_name = "FILE", help_heading = "Archive")]
    pub archive_ca: Option<PathBuf>,
}

impl ArchiveSettings {
    /// Returns the archive of these settings, or else the one in this folder. No server is asked yet.
    ///
    /// # Errors
    /// If the settings are contradictory, or the folder or a file cannot be used.
    pub fn open(&self, folder: &Path) -> Result<GameArchive, ArchiveFault> {
        let url = self.archive.as_deref();
        if let Some(bucket) = url.and_then(|url| url.strip_prefix("s3://")) {
            return s3::open(bucket, self);
        }
        let of_s3 =
            [self.archive_endpoint.is_some(), self.archive_credentials.is_some(), self.archive_ca.is_some()];
        if of_s3.contains(&true) {
            let problem = "--archive-endpoint, --archive-credentials, --archive-ca: expected --archive s3://BUCKET/PREFIX";
            return Err(ArchiveFault::Unusable(problem.into()));
        }
        match url.map(|url| url.strip_prefix("file:").filter(|folder| !folder.is_empty())) {
            None => GameArchive::in_folder(folder),
            Some(Some(folder)) => GameArchive::in_folder(Path::new(folder)),
            // Not repeated: whoever puts credentials there must not find them in a log.
            Some(None) => {
                let problem = "the URL of the archive: expected file:FOLDER or s3://BUCKET/PREFIX";
                Err(ArchiveFault::Unusable(problem.into()))
            }
        }
    }
}
