//! The names in a client's certificate, which the TLS handshake has already verified.

use rustls::pki_types::CertificateDer;
use webpki::EndEntityCert;

/// The attribute "common name" of a subject (2.5.4.3).
const COMMON_NAME: [u8; 3] = [0x55, 0x04, 0x03];
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_IDENTIFIER: u8 = 0x06;
const UTF8_STRING: u8 = 0x0c;
const PRINTABLE_STRING: u8 = 0x13;

/// A name of one kind: names of different kinds are never equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertificateName {
    /// DNS name among the subject's alternative names.
    Dns(String),
    /// URI among the subject's alternative names (`spiffe://club/table-7`).
    Uri(String),
    /// Common name of the subject.
    Subject(String),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CertificateNames(Vec<CertificateName>);

impl CertificateNames {
    /// Returns the names in a certificate; none if the certificate cannot be parsed.
    pub fn of(certificate: &CertificateDer<'_>) -> Self {
        let Ok(certificate) = EndEntityCert::try_from(certificate) else { return Self::default() };
        let dns = certificate.valid_dns_names().map(|name| CertificateName::Dns(name.to_ascii_lowercase()));
        let uris = certificate.valid_uri_names().map(|name| CertificateName::Uri(name.into()));
        let subjects = common_names(certificate.subject()).into_iter().map(CertificateName::Subject);
        Self(dns.chain(uris).chain(subjects).collect())
    }

    pub fn contain(&self, name: &CertificateName) -> bool {
        self.0.contains(name)
    }
}

/// Parses the common names in a subject: a sequence of sets of pairs.
fn common_names(subject: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    // The subject may stand with or without the head of its outer sequence.
    let sets = match element(subject) {
        Some((SEQUENCE, inner, [])) => inner,
        _ => subject,
    };
    for set in elements(sets, SET) {
        for pair in elements(set, SEQUENCE) {
            let Some((OBJECT_IDENTIFIER, kind, rest)) = element(pair) else { continue };
            let Some((UTF8_STRING | PRINTABLE_STRING, text, [])) = element(rest) else { continue };
            if kind == COMMON_NAME {
                names.extend(std::str::from_utf8(text).ok().map(String::from));
            }
        }
    }
    names
}

/// Returns the contents of all elements with this tag.
fn elements(mut bytes: &[u8], kind: u8) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while let Some((tag, inner, rest)) = element(bytes) {
        if tag == kind {
            found.push(inner);
        }
        bytes = rest;
    }
    found
}

/// Parses the first element of DER. Returns its tag, its content and the bytes after it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [tag, length, rest @ ..] = bytes else { return None };
    let (length, rest) = match (length, rest) {
        (0..=0x7f, rest) => (usize::from(*length), rest),
        (0x81, [length, rest @ ..]) => (usize::from(*length), rest),
        (0x82, [high, low, rest @ ..]) => (usize::from(u16::from_be_bytes([*high, *low])), rest),
        _ => return None,
    };
    let (inner, rest) = rest.split_at_checked(length)?;
    Some((*tag, inner, rest))
}
