package canasta.client;

import canasta.v1.*;
import canasta.v1.RecordServiceGrpc.RecordServiceBlockingStub;
import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A game that the recorder keeps, and one actor in it, by a link: watch, act once, retry, reconnect. Methods wait for their
 * answers; {@link #close} from any thread, or an interrupt, ends what waits. A call that fails for good throws {@link Trouble}.
 */
public final class Room implements AutoCloseable {
  /** Shortest and longest delay between two tries, in milliseconds. */
  private static final long SOON = 250, LATE = 8_000;
  /** Longest time for one try. Longest delay that a server may ask for and gets. */
  private static final long TRY = 12_000, MOST = 10_000;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(task -> {
    Thread thread = new Thread(task, "canasta-silence");
    thread.setDaemon(true);
    return thread;
  });

  public final Link link;
  private final Channel channel;
  private final RecordServiceBlockingStub stub;
  /** Everything that waits ends with it. */
  private final CancellableContext open;
  private final Duration deadline;
  private final Duration silence;

  public Room(Channel channel, String token) {
    this(channel, new Link(token), Context.ROOT.withCancellation(), Duration.ofSeconds(30), Duration.ofSeconds(40));
  }

  private Room(Channel channel, Link link, CancellableContext open, Duration deadline, Duration silence) {
    this.channel = channel;
    this.link = link;
    this.open = open;
    this.deadline = deadline;
    this.silence = silence;
    Metadata headers = new Metadata();
    if (link != null) headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + link.token);
    stub = RecordServiceGrpc.newBlockingStub(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Creates a game; returns its creator's room. The request needs no request id. Rules that cannot be played are an IllegalArgumentException. */
  public static Room create(Channel channel, CreateRequest request) {
    CreateRequest whole = request.getRequestId().isEmpty() ? request.toBuilder().setRequestId(fresh()).build() : request;
    Room guest = new Room(channel, null, Context.ROOT.withCancellation(), Duration.ofSeconds(30), Duration.ofSeconds(40));
    CreateResponse answer = guest.persist(stub -> stub.create(whole));
    if (answer.hasRejected()) throw new IllegalArgumentException(answer.getRejected().getViolations(0).getMessage());
    return new Room(channel, answer.getCreated().getHostLink().getToken());
  }

  /** Returns the same room, whose calls with all their tries take at most so long; 30 s unless told. */
  public Room within(Duration longest) {
    return new Room(channel, link, open, longest, silence);
  }

  /** Returns the same room, whose news are asked for anew after so long a silence; 40 s unless told. */
  public Room listening(Duration longest) {
    return new Room(channel, link, open, deadline, longest);
  }

  @Override public void close() {
    open.cancel(null);
  }

  /** Proposes an action in the position of {@code seq}. It is recorded at most once. Empty: somebody else was faster. */
  public Optional<ActResponse> act(Action action, long seq) {
    return act(action, seq, fresh());
  }

  /** The same; whoever goes on after a Trouble brings the request id of the first call. */
  public Optional<ActResponse> act(Action action, long seq, ByteString requestId) {
    ActRequest request = ActRequest.newBuilder().setGameId(link.gameId).setRequestId(requestId).setExpectedSeq(seq)
        .addProposals(Proposal.newBuilder().setActor(link.actor).setAction(action)).build();
    try {
      return Optional.of(persist(stub -> stub.act(request)));
    } catch (Trouble trouble) {
      if (trouble.retry != Trouble.Retry.RESYNCHRONISE) throw trouble;
      return Optional.empty();
    }
  }

  /** Returns the game as it is: the view, the end of the log, the clocks and the open offer. */
  public GetGameResponse game() {
    GetGameRequest request = GetGameRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).build();
    return persist(stub -> stub.getGame(request));
  }

  /** Judges every place where cards may go. */
  public GetOptionsResponse options(List<String> cards) {
    GetOptionsRequest request = GetOptionsRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).addAllCards(cards).build();
    return persist(stub -> stub.getOptions(request));
  }

  /** Lists what can be done: a choice, not everything. */
  public List<Action> legal() {
    ListActionsRequest request = ListActionsRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).build();
    return persist(stub -> stub.listActions(request)).getActionsList();
  }

  /** Returns an action that the recorder would play. */
  public Action suggest() {
    SuggestRequest request = SuggestRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).build();
    return persist(stub -> stub.suggest(request)).getAction();
  }

  /** Asks to go back to the position after action {@code toSeq}, or agrees to that offer. */
  public TakeBackResponse takeBack(long toSeq, long seq) {
    TakeBackRequest request = TakeBackRequest.newBuilder().setGameId(link.gameId).setRequestId(fresh()).setActor(link.actor)
        .setToSeq(toSeq).setExpectedSeq(seq).build();
    return persist(stub -> stub.takeBack(request));
  }

  /** Makes the token of a link for another actor. Requires the host's link. */
  public String invite(Actor actor, Duration validity) {
    InviteRequest request = InviteRequest.newBuilder().setGameId(link.gameId).setActor(actor)
        .setExpiresAtMs(System.currentTimeMillis() + validity.toMillis()).build();
    return persist(stub -> stub.invite(request)).getLink().getToken();
  }

  /** Revokes a link. Requires the host's link, or the link itself. */
  public void revoke(String token) {
    RevokeRequest request = RevokeRequest.newBuilder().setGameId(link.gameId).setTokenId(new Link(token).tokenId).build();
    persist(stub -> stub.revoke(request));
  }

  /** Lets a bot play a seat, or gives it back: the own seat, or with the host's link any. */
  public void setBot(int seat, boolean plays) {
    SetBotRequest request = SetBotRequest.newBuilder().setGameId(link.gameId).setRequestId(fresh()).setActor(link.actor)
        .setBot(Bot.newBuilder().setSeat(seat)).setPlays(plays).build();
    persist(stub -> stub.setBot(request));
  }

  /** Returns the records from {@code fromN} on, for history and replay. */
  public List<DescribedRecord> describe(long fromN, boolean wantViews) {
    DescribeRequest.Builder request = DescribeRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).setFromN(fromN).setWantViews(wantViews);
    List<DescribedRecord> found = new ArrayList<>();
    do {
      DescribeResponse page = persist(stub -> stub.describe(request.build()));
      found.addAll(page.getRecordsList());
      request.setPageToken(page.getNextPageToken());
    } while (!request.getPageToken().isEmpty());
    return found;
  }

  /** Returns the log, as far as the actor may have it, as a file. */
  public ByteString log() {
    GetLogRequest request = GetLogRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).build();
    return persist(stub -> {
      ByteString frames = ByteString.EMPTY;
      for (Iterator<GetLogResponse> pieces = stub.getLog(request); pieces.hasNext(); ) frames = frames.concat(pieces.next().getFrames());
      return frames;
    });
  }

  /** Waits for the auditors' verdict on the finished game. */
  public GameVerdict verdict() {
    GetVerdictRequest request = GetVerdictRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).build();
    while (true) {
      GetVerdictResponse answer = persist(stub -> stub.getVerdict(request));
      if (answer.hasVerdict()) return answer.getVerdict();
      rest(SOON);
    }
  }

  /**
   * Yields what the actor may see, in order; after a lost connection, or silence, it goes on behind the last message. It ends with
   * the game, or when the room is closed.
   */
  public Iterable<WatchResponse> news() {
    return News::new;
  }

  private final class News implements Iterator<WatchResponse> {
    private final WatchRequest.Builder request = WatchRequest.newBuilder().setGameId(link.gameId).setActor(link.actor).setWantView(true);
    private CancellableContext attempt;
    private Iterator<WatchResponse> messages;
    private WatchResponse found;
    private boolean isOver;
    private long wait = SOON;
    private int tries;

    @Override public boolean hasNext() {
      while (found == null && !open.isCancelled()) {
        long delay = wait;
        try {
          if (isOver) {
            attempt.cancel(null);
            return false;
          }
          if (heard()) return true;
        } catch (StatusRuntimeException | Trouble error) {
          Trouble trouble = error instanceof Trouble ? (Trouble) error : new Trouble((StatusRuntimeException) error);
          tries += 1;
          delay = trouble.next(wait, tries);
          if (open.isCancelled()) return false;
          if (delay < 0 || Thread.currentThread().isInterrupted()) throw trouble;
        }
        attempt.cancel(null);
        messages = null;
        rest(delay);
        wait = Math.min(2 * wait, LATE);
      }
      return found != null;
    }

    /** Waits for the next message, for as long as silence is allowed. Returns whether one has come before the stream's end. */
    private boolean heard() {
      if (messages == null) {
        attempt = open.withCancellation();
        messages = within(attempt, () -> stub.watch(request.build()));
      }
      CancellableContext heard = attempt;
      ScheduledFuture<?> silent = WATCH.schedule(() -> heard.cancel(null), silence.toMillis(), TimeUnit.MILLISECONDS);
      try {
        if (!messages.hasNext()) return false;
      } finally {
        silent.cancel(false);
      }
      WatchResponse message = messages.next();
      found = message;
      if (message.hasObservation()) isOver = message.getObservation().getView().getPhase() == Phase.PHASE_GAME_OVER;
      request.setFromN(message.getLogEnd().getN() + 1);
      wait = SOON;
      tries = 0;
      return true;
    }

    @Override public WatchResponse next() {
      if (!hasNext()) throw new NoSuchElementException();
      WatchResponse message = found;
      found = null;
      return message;
    }
  }

  /** Repeats a request, unchanged, until it is answered, fails for good, or the deadline has come. */
  private <T> T persist(Function<RecordServiceBlockingStub, T> ask) {
    long ends = now() + deadline.toMillis();
    long wait = SOON;
    for (int tries = 1; ; tries++) {
      long left = Math.min(TRY, ends - now());
      try {
        return within(open, () -> ask.apply(stub.withDeadlineAfter(left, TimeUnit.MILLISECONDS)));
      } catch (StatusRuntimeException error) {
        Trouble trouble = new Trouble(error);
        long delay = trouble.next(wait, tries);
        boolean isEnded = open.isCancelled() || Thread.currentThread().isInterrupted();
        if (isEnded || delay < 0 || delay > MOST || now() + delay >= ends) throw trouble;
        rest(delay);
      }
      wait = Math.min(2 * wait, LATE);
    }
  }

  private static <T> T within(Context context, Supplier<T> what) {
    Context before = context.attach();
    try {
      return what.get();
    } finally {
      context.detach(before);
    }
  }

  /** Waits before the next try, and lets the channel look for its server at once then. */
  private void rest(long delay) {
    CountDownLatch ended = new CountDownLatch(1);
    Context.CancellationListener end = context -> ended.countDown();
    open.addListener(end, Runnable::run);
    try {
      ended.await(delay, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new Trouble(Status.CANCELLED.withDescription("interrupted").asRuntimeException());
    } finally {
      open.removeListener(end);
    }
    if (channel instanceof ManagedChannel) ((ManagedChannel) channel).resetConnectBackoff();
  }

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  private static ByteString fresh() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }
}
