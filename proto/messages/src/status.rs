//! The one place that turns faults into gRPC statuses; with the feature `grpc` only, the transport comes with it.

use tonic::{Code, Status};

use crate::fault::RequestFault;

impl From<RequestFault> for Status {
    fn from(fault: RequestFault) -> Self {
        let code = Code::from_i32(fault.code_and_reason().0 as i32);
        Self::with_details(code, fault.message(), fault.to_status_bytes().into())
    }
}

impl RequestFault {
    /// Returns an HTTP response with this fault, for requests that never reach a service.
    pub fn into_response<B: Default>(self) -> http::Response<B> {
        Status::from(self).into_http()
    }

    /// Returns the fault behind a status that the transport made of a request; `None` if the status stays as
    /// it is. The transport's own statuses have no details, ours have some. The transport's INTERNAL means a
    /// request that cannot be decoded.
    pub fn of_transport(status: &Status) -> Option<Self> {
        if !status.details().is_empty() {
            return None;
        }
        let said = status.message();
        match status.code() {
            Code::Internal => Some(Self::undecodable(said)),
            Code::OutOfRange => Some(Self::TooLarge(said.into())),
            Code::Unimplemented if said.is_empty() => {
                Some(Self::Unimplemented("this server has no such method".into()))
            }
            Code::Unimplemented => Some(Self::Unimplemented(said.into())),
            _ => None,
        }
    }
}

/// Adds details to a status of the transport, as every status has them.
pub fn explained(given: Status) -> Status {
    RequestFault::of_transport(&given).map_or(given, Status::from)
}

#[cfg(test)]
mod tests;
