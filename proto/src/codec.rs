//! The coder of messages on a connection.

use std::marker::PhantomData;

use prost::Message;
use tonic::codec::{BufferSettings, Codec};
use tonic_prost::{ProstCodec, ProstDecoder, ProstEncoder};

/// Number of bytes that a stream holds from its beginning, for requests and for answers. tonic's 8 KiB for each would
/// be the largest part of a watcher.
const BUFFER_BYTES: usize = 512;
/// Number of bytes of answers that are sent as one, as in tonic.
const SENT_BYTES: usize = 32 << 10;

/// tonic's codec of Protocol Buffers, with little room until there is a message.
pub struct SparseCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for SparseCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for SparseCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstCodec::<T, U>::raw_encoder(BufferSettings::new(BUFFER_BYTES, SENT_BYTES))
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstCodec::<T, U>::raw_decoder(BufferSettings::new(BUFFER_BYTES, SENT_BYTES))
    }
}
