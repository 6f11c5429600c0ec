//! Messages as the bytes they are, and the echo's own.

use bytes::{Buf, BufMut};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// What the echo is asked: how long its answer is to be, and bytes that it does not look at.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Ask {
    #[prost(fixed32, tag = "1")]
    pub answer: u32,
    #[prost(bytes = "vec", tag = "2")]
    pub body: Vec<u8>,
}

/// What the echo answers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Answer {
    #[prost(bytes = "vec", tag = "1")]
    pub body: Vec<u8>,
}

/// Bytes in a field, so that the message has `length` bytes, if it can.
pub fn filler(length: usize) -> Vec<u8> {
    let head = if length > 129 { 3 } else { 2 };
    vec![7; length.saturating_sub(head)]
}

/// Sends bytes as they are, and counts those that come.
#[derive(Clone, Copy, Default)]
pub struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = usize;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = usize;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<usize>, Status> {
        let length = buffer.remaining();
        buffer.advance(length);
        Ok(Some(length))
    }
}
