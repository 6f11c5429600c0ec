//! Method GetCatalogue.

use canasta_engine::violations::template::Language;
use canasta_proto::v1::{GetCatalogueRequest, GetCatalogueResponse, Wording};
use std::sync::LazyLock;

use super::page::ListPage;
use crate::convert::field::{Read, fault, text, within};
use crate::fault::OrFault;
use crate::words;

/// Maximum number of wordings on a page.
const WORDINGS_MAX: usize = 500;
/// Maximum length of a language tag, in bytes: RFC 5646 asks for room for 35.
const TAG_BYTES_MAX: usize = 35;

/// The sentences of each language, and their digest: they never change.
static CATALOGUES: LazyLock<[(Vec<Wording>, [u8; 32]); Language::ALL.len()]> = LazyLock::new(|| {
    Language::ALL.map(words::catalogue).map(|wordings| {
        let digest = words::digest(&wordings);
        (wordings, digest)
    })
});

/// Answers a page of the sentences of a language.
pub fn answer(request: GetCatalogueRequest) -> OrFault<GetCatalogueResponse> {
    let language = language(request.language_code).map_err(within("language_code"))?;
    let language = language.unwrap_or(Language::English);
    let (wordings, digest) = &CATALOGUES[language as usize];
    let list: [&[u8]; 2] = [b"GetCatalogue", digest];
    let page = ListPage::read(request.page_size, &request.page_token, WORDINGS_MAX, &list)?;
    let (wordings, next_page_token) = page.cut(wordings);
    Ok(GetCatalogueResponse {
        language_code: language.tag().into(),
        digest: digest.to_vec(),
        wordings,
        next_page_token,
    })
}

/// Reads a tag, if there is one; its region is not looked at.
pub fn language(tag: String) -> Read<Option<Language>> {
    if tag.is_empty() {
        return Ok(None);
    }
    let tag = text(tag, TAG_BYTES_MAX)?.to_ascii_lowercase();
    let primary = tag.split('-').next().unwrap_or_default();
    let known = || Language::ALL.map(Language::tag).join(" or ");
    let language = Language::from_tag(primary);
    language.map(Some).ok_or_else(|| fault(format!("no wordings in {tag:?}, expected {}", known())))
}
