package canasta.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** A call that failed. A refused action is none: it is an answer. */
public final class Trouble extends RuntimeException {
  /** What may be done with a request that has failed: docs/API.md, "Deadlines and retries". */
  public enum Retry { AGAIN, ONCE, RESYNCHRONISE, NEVER }

  /** By reason of ErrorInfo, or by status where the reason is not here. All others: never. A test holds docs/API.md against it. */
  private static final Map<String, Retry> RETRIES = Map.of(
      "UNAVAILABLE", Retry.AGAIN,
      "DEADLINE_EXCEEDED", Retry.AGAIN,
      "CANCELLED", Retry.AGAIN,
      "OVERLOADED", Retry.AGAIN,
      "RATE_LIMITED", Retry.AGAIN,
      "INTERNAL", Retry.ONCE,
      "STALE_HEAD", Retry.RESYNCHRONISE);

  private static final Metadata.Key<byte[]> DETAILS = Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
  private static final String TYPE = "type.googleapis.com/google.rpc.";

  /** Reason of ErrorInfo ({@code STALE_HEAD}); otherwise the name of the status. */
  public final String reason;
  public final Status status;
  public final Retry retry;
  /** Delay that the server asks for. */
  public final Optional<Duration> delay;

  public Trouble(StatusRuntimeException error) {
    super(error.getStatus().getDescription(), error);
    // Netty's transport calls a connection that breaks while a request is written UNKNOWN.
    boolean isLost = error.getStatus().getCode() == Status.Code.UNKNOWN && error.getStatus().getCause() instanceof IOException;
    status = isLost ? Status.UNAVAILABLE.withDescription(error.getMessage()).withCause(error) : error.getStatus();
    String name = status.getCode().name();
    UnknownFieldSet info = UnknownFieldSet.getDefaultInstance();
    UnknownFieldSet wait = null;
    byte[] details = error.getTrailers() == null ? null : error.getTrailers().get(DETAILS);
    UnknownFieldSet full = details == null ? info : parsed(ByteString.copyFrom(details));
    // google.rpc.Status has its details as field 3, each an Any of type and value.
    for (ByteString detail : full.getField(3).getLengthDelimitedList()) {
      String type = text(parsed(detail), 1);
      if (type.equals(TYPE + "ErrorInfo")) info = inner(parsed(detail), 2);
      if (type.equals(TYPE + "RetryInfo")) wait = inner(inner(parsed(detail), 2), 1);
    }
    reason = text(info, 1).isEmpty() ? name : text(info, 1);
    retry = RETRIES.getOrDefault(reason, RETRIES.getOrDefault(name, Retry.NEVER));
    delay = Optional.ofNullable(wait).map(found -> Duration.ofSeconds(number(found, 1), number(found, 2)));
  }

  /** Returns the milliseconds until the next try; less than 0: there is none. */
  long next(long wait, int tries) {
    if (retry != Retry.AGAIN && (retry != Retry.ONCE || tries > 1)) return -1;
    return Math.max(ThreadLocalRandom.current().nextLong(wait / 2, wait + 1), delay.map(Duration::toMillis).orElse(0L));
  }

  private static UnknownFieldSet parsed(ByteString bytes) {
    try {
      return UnknownFieldSet.parseFrom(bytes);
    } catch (InvalidProtocolBufferException error) {
      return UnknownFieldSet.getDefaultInstance();
    }
  }

  private static UnknownFieldSet inner(UnknownFieldSet of, int field) {
    return of.getField(field).getLengthDelimitedList().stream().findFirst().map(Trouble::parsed).orElse(UnknownFieldSet.getDefaultInstance());
  }

  private static String text(UnknownFieldSet of, int field) {
    return of.getField(field).getLengthDelimitedList().stream().findFirst().map(ByteString::toStringUtf8).orElse("");
  }

  private static long number(UnknownFieldSet of, int field) {
    return of.getField(field).getVarintList().stream().findFirst().orElse(0L);
  }
}
