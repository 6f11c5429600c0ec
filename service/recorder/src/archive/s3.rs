//! An archive in a bucket of S3, or of a server that speaks its protocol.

use std::fs;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use canasta_serve::secret;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{Certificate, ClientOptions, RetryConfig};

use super::{ArchiveFault, ArchiveSettings, GameArchive};

/// Maximum time until a server takes a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);
/// Maximum time of a request with its answer.
const REQUEST_LIMIT: Duration = Duration::from_secs(20);
/// Number of times that a request is repeated by itself. Whoever asks decides about later tries.
const RETRIES: usize = 2;
/// Maximum length of the file with certificates, in bytes.
const CA_BYTES_MAX: u64 = 1 << 20;

/// Returns the archive in `BUCKET/PREFIX`.
///
/// # Errors
/// If the text is no bucket with a prefix, the endpoint is not safe, or a file cannot be used.
pub fn open(bucket: &str, settings: &ArchiveSettings) -> Result<GameArchive, ArchiveFault> {
    // Another part of the program may have chosen the same one before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (bucket, prefix) = bucket.split_once('/').unwrap_or((bucket, ""));
    check_bucket(bucket)?;
    let prefix = Some(prefix.trim_end_matches('/')).filter(|prefix| is_plain(prefix));
    let prefix = prefix.and_then(|prefix| Path::parse(prefix).ok()).ok_or_else(|| {
        unusable("the prefix of the archive: expected letters, digits, '-', '_' and '.' between single '/'")
    })?;
    let mut builder = AmazonS3Builder::from_env();
    if let Some(file) = &settings.archive_credentials {
        for (key, value) in credentials(file)? {
            builder = builder.with_config(key, value);
        }
    }
    let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
    let of_aws = || endpoint.iter().find_map(|key| builder.get_config_value(key));
    let endpoint = settings.archive_endpoint.clone().or_else(of_aws);
    let is_loopback = endpoint.as_deref().map_or(Ok(false), check_endpoint)?;
    if let Some(endpoint) = endpoint {
        builder = builder.with_config(AmazonS3ConfigKey::S3Endpoint, endpoint);
    }
    // All options of the client are ours: the environment cannot switch off the check of certificates.
    let mut options = ClientOptions::new()
        .with_allow_http(is_loopback)
        .with_connect_timeout(CONNECT_LIMIT)
        .with_timeout(REQUEST_LIMIT);
    for certificate in settings.archive_ca.as_deref().map(certificates).transpose()?.unwrap_or_default() {
        options = options.with_root_certificate(certificate);
    }
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: REQUEST_LIMIT, ..Default::default() };
    let store = builder
        .with_bucket_name(bucket)
        .with_client_options(options)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_retry(retry)
        .build()
        .map_err(|error| unusable(format!("the archive s3://{bucket}: {error}")))?;
    Ok(GameArchive::new(Arc::new(PrefixStore::new(store, prefix)), true))
}

fn unusable(problem: impl Into<String>) -> ArchiveFault {
    ArchiveFault::Unusable(problem.into())
}

/// Checks the name of a bucket. It is not repeated in the answer, since it may hold credentials.
fn check_bucket(bucket: &str) -> Result<(), ArchiveFault> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    let is_name = (3..=63).contains(&bucket.len()) && bucket.bytes().all(is_letter);
    let problem = "the bucket of the archive: expected 3 to 63 lower case letters, digits, '-' and '.'; credentials \
                   come from AWS's environment variables or --archive-credentials";
    if is_name { Ok(()) } else { Err(unusable(problem)) }
}

/// Whether a path has only characters that no server and no shell reads in another way.
fn is_plain(path: &str) -> bool {
    !path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
}

/// Checks that an endpoint is reached by TLS, or is on loopback, and has no credentials. Returns whether it may be reached
/// without TLS.
fn check_endpoint(endpoint: &str) -> Result<bool, ArchiveFault> {
    let wrong = || {
        let problem = "the endpoint of the archive (--archive-endpoint or AWS_ENDPOINT_URL): expected https://HOST[:PORT], or http:// on \
                       loopback, without credentials";
        unusable(problem)
    };
    let (scheme, rest) = endpoint.split_once("://").ok_or_else(wrong)?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() || host.contains('@') {
        return Err(wrong());
    }
    let is_loopback = ["127.0.0.1", "localhost", "[::1]"]
        .into_iter()
        .any(|name| host.strip_prefix(name).is_some_and(|port| port.is_empty() || port.starts_with(':')));
    match scheme {
        "https" => Ok(false),
        "http" if is_loopback => Ok(true),
        _ => Err(wrong()),
    }
}

/// Reads the profile `default` of a file with credentials.
fn credentials(file: &FilePath) -> Result<Vec<(AmazonS3ConfigKey, String)>, ArchiveFault> {
    let of_file = |problem: String| unusable(format!("{}: {problem}", file.display()));
    let text = secret::read(file).map_err(|error| of_file(error.to_string()))?;
    let (mut found, mut is_default) = (Vec::new(), false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if line.starts_with('[') {
            is_default = line == "[default]";
        } else if is_default && let Some((name, value)) = line.split_once('=') {
            let key = match name.trim() {
                "aws_access_key_id" => AmazonS3ConfigKey::AccessKeyId,
                "aws_secret_access_key" => AmazonS3ConfigKey::SecretAccessKey,
                "aws_session_token" => AmazonS3ConfigKey::Token,
                _ => continue,
            };
            found.push((key, value.trim().to_owned()));
        }
    }
    let has = |wanted| found.iter().any(|(key, value)| *key == wanted && !value.is_empty());
    if has(AmazonS3ConfigKey::AccessKeyId) && has(AmazonS3ConfigKey::SecretAccessKey) {
        return Ok(found);
    }
    Err(of_file("expected [default] with aws_access_key_id and aws_secret_access_key".into()))
}

fn certificates(file: &FilePath) -> Result<Vec<Certificate>, ArchiveFault> {
    let of_file = |problem: String| unusable(format!("{}: {problem}", file.display()));
    let length = fs::metadata(file).map_err(|error| of_file(error.to_string()))?.len();
    if length > CA_BYTES_MAX {
        return Err(of_file(format!("{length} bytes, expected at most {CA_BYTES_MAX}")));
    }
    let pem = fs::read(file).map_err(|error| of_file(error.to_string()))?;
    let found = Certificate::from_pem_bundle(&pem).map_err(|error| of_file(error.to_string()))?;
    if found.is_empty() { Err(of_file("expected certificates in PEM".into())) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn endpoints_are_safe() {
        for (endpoint, may_be_plain) in [
            ("https://s3.example.org", false),
            ("https://127.0.0.1:9000", false),
            ("http://127.0.0.1:9000", true),
            ("http://localhost", true),
            ("http://[::1]:9000/", true),
        ] {
            assert_eq!(check_endpoint(endpoint), Ok(may_be_plain), "{endpoint}");
        }
        for endpoint in [
            "http://s3.example.org",
            "http://127.0.0.1.example.org",
            "http://localhost@example.org",
            "https://key:secret@example.org",
            "https://",
            "ftp://127.0.0.1",
            "s3.example.org",
        ] {
            let refused = check_endpoint(endpoint).expect_err(endpoint).to_string();
            assert!(refused.contains("AWS_ENDPOINT_URL") && !refused.contains("secret"), "{refused}");
        }
    }

    #[test]
    fn buckets_and_prefixes_have_names() {
        let open = |text: &str| open(text, &ArchiveSettings::default()).map(|_| ());
        assert_eq!(open("canasta-archive"), Ok(()));
        assert_eq!(open("canasta-archive/club/2026/"), Ok(()));
        for wrong in
            ["", "ab", "Bucket", "key:secret@bucket", "bucket?x", "bucket//a", "bucket/../a", "bucket/a b"]
        {
            let refused = open(wrong).expect_err(wrong).to_string();
            assert!(!refused.contains("secret"), "{refused}");
        }
    }

    #[test]
    fn the_default_profile_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("credentials");
        let read = |text: &str| {
            fs::write(&file, text).expect("our file");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("our file");
            credentials(&file)
        };
        let text = "# ours\n[other]\naws_access_key_id = no\n[default]\naws_access_key_id=AKIA\n\
                    aws_secret_access_key = se/cret+=\nregion = nowhere\n";
        let expected = [("aws_access_key_id", "AKIA"), ("aws_secret_access_key", "se/cret+=")];
        let found = read(text).expect("credentials");
        let found: Vec<_> = found.iter().map(|(key, value)| (key.as_ref(), value.as_str())).collect();
        assert_eq!(found, expected);
        let refused = read("[default]\naws_secret_access_key = secret\n").expect_err("no id").to_string();
        assert!(refused.contains("expected [default]") && !refused.contains("= secret"), "{refused}");
    }
}
