// A client in Java, written from docs/API.md, docs/reference/API_REFERENCE.md and the proto files alone: it creates a game, is
// refused, plays a whole round, meets errors and reads their details, plays on a stream, and has its log audited.
//
//     java FirstGame ADDRESS

import canasta.v1.*;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import google.rpc.Rpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

public final class FirstGame {
  private static final Actor TABLE = Actor.newBuilder().setRole(Role.ROLE_TABLE).build();
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final ManagedChannel channel;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private ByteString state;
  private ByteString head;

  private FirstGame(ManagedChannel channel) {
    this.channel = channel;
  }

  public static void main(String[] args) throws Exception {
    String[] address = args[0].split(":");
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address[0], Integer.parseInt(address[1])).usePlaintext().build();
    try {
      new FirstGame(channel).play();
    } finally {
      channel.shutdownNow();
    }
  }

  /** A call has a deadline, 2 s, as the page advises. */
  private GameServiceGrpc.GameServiceBlockingStub rules() {
    return GameServiceGrpc.newBlockingStub(channel).withDeadlineAfter(2, TimeUnit.SECONDS);
  }

  private void play() throws Exception {
    Created created = rules().createGame(CreateGameRequest.newBuilder()
        .setRuleSet("classic-4p").setDealMode(DealMode.DEAL_MODE_SEEDED).build()).getCreated();
    keep(created.getState(), created.getHead(), created.getFrames());
    Action deal = Action.newBuilder().setDeal(Action.Deal.getDefaultInstance()).build();
    View view = act(TABLE, deal).getAccepted().getView();

    int me = view.getToAct();
    Action draw = Action.newBuilder().setDrawStock(Action.DrawStock.getDefaultInstance()).build();
    Violation broken = act(seat((me + 1) % 4), draw).getRejected().getViolations(0);
    Rule rule = rules().getRule(GetRuleRequest.newBuilder().setRuleId(broken.getRuleIds(0)).build()).getRule();
    expect("TURN_NOT_YOURS", broken.getCode());
    expect(me, broken.getFactsOrThrow("turn").getSeat());
    System.out.printf("refused    %s: %s%n           %s: %s%n", broken.getCode(), broken.getMessage(), rule.getId(), rule.getText());

    errors(me);
    int actions = round();
    stream();
    AuditLogResponse report = audit();
    expect(Verdict.VERDICT_CONDITIONAL, report.getVerdict());
    expect(0, report.getFindingsCount());
    expect(head, report.getHead());
    System.out.printf("audited    %s, %d actions, round 1 took %d%n", report.getVerdict(), report.getActions(), actions);
  }

  private static Actor seat(int number) {
    return Actor.newBuilder().setSeat(number).build();
  }

  private void keep(ByteString state, ByteString head, ByteString frames) {
    this.state = state;
    this.head = head;
    log.writeBytes(frames.toByteArray());
  }

  private ApplyActionResponse act(Actor who, Action action) {
    ApplyActionResponse answer = rules().applyAction(ApplyActionRequest.newBuilder()
        .setState(state).setActor(who).setAction(action).setExpectedHead(head)
        .setWantHead(true).setWantView(true).build());
    if (answer.hasAccepted()) {
      Accepted done = answer.getAccepted();
      keep(done.getState(), done.getHead(), done.getFrames());
    }
    return answer;
  }

  private View look(Actor who) {
    return rules().getView(GetViewRequest.newBuilder().setState(state).setActor(who).build()).getView();
  }

  /** Statuses and what their details say, each as the page's table has it. */
  private void errors(int me) {
    ByteString before = head;
    ApplyActionRequest.Builder ask = ApplyActionRequest.newBuilder().setState(state).setActor(seat(me));
    Action wrong = Action.newBuilder().setDiscard(Action.Discard.newBuilder().setCard("1z")).build();
    Rpc.BadRequest bad = fails(Status.Code.INVALID_ARGUMENT, "INVALID_FIELD", Rpc.BadRequest.getDefaultInstance(),
        () -> rules().applyAction(ask.clone().setAction(wrong).build()));
    expect("action.discard.card", bad.getFieldViolations(0).getField());

    Action draw = Action.newBuilder().setDrawStock(Action.DrawStock.getDefaultInstance()).build();
    Rpc.ErrorInfo stale = fails(Status.Code.ABORTED, "STALE_HEAD", Rpc.ErrorInfo.getDefaultInstance(),
        () -> rules().applyAction(ask.clone().setAction(draw).setExpectedSeq(99).build()));
    expect("1", stale.getMetadataOrThrow("current_seq"));
    expect(64, stale.getMetadataOrThrow("current_head").length());

    fails(Status.Code.INVALID_ARGUMENT, "STATE_TOKEN_INVALID", Rpc.ErrorInfo.getDefaultInstance(),
        () -> rules().applyAction(ask.clone().setState(state.concat(ByteString.copyFromUtf8("x"))).setAction(draw).build()));
    fails(Status.Code.NOT_FOUND, "NOT_FOUND", Rpc.ErrorInfo.getDefaultInstance(),
        () -> rules().getRuleSet(GetRuleSetRequest.newBuilder().setId("whist").build()));
    fails(Status.Code.FAILED_PRECONDITION, "NO_SIGNING_KEY", Rpc.ErrorInfo.getDefaultInstance(),
        () -> rules().applyAction(ask.clone().setAction(draw).setCheckpoint(true).build()));
    expect(before, head);

    // A lost answer: the same request again, the same bytes again.
    ApplyActionRequest same = ask.clone().setAction(draw).setWantEvents(true).build();
    expect(rules().applyAction(same).toByteString(), rules().applyAction(same).toByteString());
    System.out.println("errors     five, each with its reason; an answer asked for twice is the same");
  }

  private <T extends com.google.protobuf.Message> T fails(Status.Code code, String reason, T detail, Supplier<?> call) {
    try {
      call.get();
      throw new AssertionError("expected " + reason);
    } catch (StatusRuntimeException error) {
      expect(code, error.getStatus().getCode());
      try {
        T found = null;
        for (Any any : Rpc.Status.parseFrom(error.getTrailers().get(DETAILS)).getDetailsList()) {
          if (any.is(Rpc.ErrorInfo.class)) {
            Rpc.ErrorInfo info = any.unpack(Rpc.ErrorInfo.class);
            expect(reason, info.getReason());
            expect("canasta.v1", info.getDomain());
          }
          if (any.is(detail.getClass())) {
            @SuppressWarnings("unchecked") T unpacked = (T) any.unpack(detail.getClass());
            found = unpacked;
          }
        }
        if (found == null) throw new AssertionError(reason + ": no " + detail.getDescriptorForType().getName());
        return found;
      } catch (com.google.protobuf.InvalidProtocolBufferException bytes) {
        throw new AssertionError(bytes);
      }
    }
  }

  /** The first round, every action as the service suggests it, each as a batch of one. */
  private int round() {
    int actions = 0;
    for (;;) {
      View view = look(TABLE);
      if (view.getPhase() == Phase.PHASE_DEAL) return actions;
      Actor who = seat(view.getToAct());
      Action first = rules().suggestAction(SuggestActionRequest.newBuilder().setState(state).setActor(who).build()).getAction();
      ApplyActionsResponse answer = rules().applyActions(ApplyActionsRequest.newBuilder()
          .setState(state).addActions(ProposedAction.newBuilder().setActor(who).setAction(first)).setWantView(true).build());
      AcceptedActions done = answer.getAccepted();
      expect(1, done.getResultsCount());
      keep(done.getState(), done.getHead(), done.getFrames());
      actions += 1;
    }
  }

  /** The next deal and a refusal on a stream, which hands the state out at its end. */
  private void stream() throws Exception {
    List<PlayResponse> answers = new ArrayList<>();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    StreamObserver<PlayRequest> play = GameServiceGrpc.newStub(channel).play(new StreamObserver<>() {
      @Override public void onNext(PlayResponse answer) {
        answers.add(answer);
      }

      @Override public void onError(Throwable error) {
        ended.completeExceptionally(error);
      }

      @Override public void onCompleted() {
        ended.complete(null);
      }
    });
    ApplyActionRequest deal = ApplyActionRequest.newBuilder().setActor(TABLE).setWantHead(true)
        .setAction(Action.newBuilder().setDeal(Action.Deal.getDefaultInstance())).build();
    play.onNext(PlayRequest.newBuilder().setState(state).setApply(deal).build());
    play.onNext(PlayRequest.newBuilder().setApply(deal).build());
    play.onCompleted();
    ended.get(10, TimeUnit.SECONDS);
    expect(3, answers.size());
    Accepted dealt = answers.get(0).getAccepted();
    expect(true, dealt.getState().isEmpty());
    expect("SETUP_WRONG_TIME", answers.get(1).getRejected().getViolations(0).getCode());
    expect(true, answers.get(2).getLast());
    keep(answers.get(2).getState(), dealt.getHead(), dealt.getFrames());
    expect(Phase.PHASE_START, look(TABLE).getPhase());
    System.out.println("stream     dealt, refused a second deal, handed the state out");
  }

  private AuditLogResponse audit() throws Exception {
    CompletableFuture<AuditLogResponse> report = new CompletableFuture<>();
    StreamObserver<AuditLogRequest> pieces = AuditServiceGrpc.newStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS)
        .auditLog(new StreamObserver<>() {
          @Override public void onNext(AuditLogResponse answer) {
            report.complete(answer);
          }

          @Override public void onError(Throwable error) {
            report.completeExceptionally(error);
          }

          @Override public void onCompleted() {}
        });
    pieces.onNext(AuditLogRequest.newBuilder().setQuestion(AuditQuestion.newBuilder().setActor(TABLE).setLive(true)).build());
    byte[] bytes = log.toByteArray();
    for (int at = 0; at < bytes.length; at += 65_536) {
      int size = Math.min(65_536, bytes.length - at);
      pieces.onNext(AuditLogRequest.newBuilder().setChunk(ByteString.copyFrom(bytes, at, size)).build());
    }
    pieces.onCompleted();
    return report.get(30, TimeUnit.SECONDS);
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) throw new AssertionError("expected " + expected + ", found " + found);
  }
}
