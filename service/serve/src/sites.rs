//! The sites of the web whose pages may ask.
//!
//! Where callers are believed, on loopback or behind `--trusted-callers`, every page that somebody opens on a machine that
//! reaches the server can ask. A browser that is told
//! that the name of another site is an address of the server's (DNS rebinding) takes the site's page for one of this
//! server's own, so that no permission is needed (CORS). Only the names in `Host` and `Origin` show it.

use std::net::IpAddr;

use http::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use http::uri::{Authority, Uri};

use crate::config::Config;

/// The sites whose pages may ask.
#[derive(Clone)]
pub struct Sites {
    /// The origins that the operator names.
    named: Vec<String>,
    /// Whether only this machine reaches the server: then its own pages may ask too, and no others.
    is_local: bool,
    /// Whether callers are believed without credentials.
    believes: bool,
}

impl Sites {
    /// Returns the sites that the settings name, and on loopback this machine.
    pub fn new(config: &Config) -> Self {
        let is_local = config.is_on_loopback();
        Self { named: config.web_origins.clone(), is_local, believes: is_local || config.trusted_callers }
    }

    /// Whether pages of this origin may ask.
    pub fn has_origin(&self, origin: &HeaderValue) -> bool {
        let is_named = |origin: &str| self.named.iter().any(|name| name == origin);
        origin.to_str().is_ok_and(is_named) || self.is_local && is_own_page(origin)
    }

    /// Whether a browser asks for, or from a page of, a site that may not ask. Where the caller's credentials decide, no
    /// site is foreign.
    pub fn is_foreign(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let of_header = || headers.get(HOST)?.to_str().ok();
        let host = uri.authority().map(Authority::as_str).or_else(of_header).unwrap_or_default();
        let may_ask = |origin| self.has_origin(origin) || is_own_page(origin);
        self.believes && !(self.has_host(host) && headers.get_all(ORIGIN).iter().all(may_ask))
    }

    /// Whether a name, with or without a port, is that of this machine or of a named site.
    fn has_host(&self, host: &str) -> bool {
        let Some(host) = name_in(host) else { return false };
        is_this_machine(&host) || self.named.iter().any(|origin| host_of(origin).as_ref() == Some(&host))
    }
}

pub fn is_own_page(origin: &HeaderValue) -> bool {
    origin.to_str().ok().and_then(host_of).is_some_and(|host| is_this_machine(&host))
}

/// Returns the name in an origin that is a page of the web.
fn host_of(origin: &str) -> Option<String> {
    name_in(origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?)
}

fn name_in(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    Some(authority.host().trim_matches(['[', ']']).to_ascii_lowercase())
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ServiceCli;
    use clap::Parser;

    #[test]
    fn pages_and_names_of_this_machine_are_told_apart() {
        let config =
            ServiceCli::parse_from(["canasta-service", "--web-origin", "https://club.example"]).config;
        let sites = Sites::new(&config);
        let origin = |text: &str| sites.has_origin(&HeaderValue::from_str(text).expect("visible ASCII"));
        let own =
            ["localhost", "LOCALHOST:5173", "127.0.0.1:80", "127.9.9.9", "[::1]:9", "[::ffff:127.0.0.1]"];
        for host in own {
            assert!(sites.has_host(host), "{host}");
            assert!(origin(&format!("http://{host}")) && origin(&format!("https://{host}")), "{host}");
        }
        assert!(sites.has_host("club.example:443") && sites.has_host("Club.example"));
        assert!(origin("https://club.example") && !origin("http://club.example"));
        let others =
            ["", "localhost.example", "127.0.0.1.example", "evil.example:1", "0.0.0.0", "192.0.2.1", "[::2]"];
        for host in others {
            assert!(!sites.has_host(host) && !origin(&format!("http://{host}")), "{host}");
        }
        for other in ["null", "", "file://localhost", "localhost"] {
            assert!(!origin(other), "{other}");
        }
    }
}
