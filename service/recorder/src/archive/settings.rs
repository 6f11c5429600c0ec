//! The settings of the archive: where it is, and how it is reached.

use std::path::PathBuf;

use clap::Args;

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
