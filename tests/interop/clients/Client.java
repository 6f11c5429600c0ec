// The Java client against a recorder that fails, freezes and is killed.
//     java Client ADDRESS_OF_FAKE CASES CANASTA_RECORDER FOLDER

import canasta.client.Room;
import canasta.client.Trouble;
import canasta.v1.*;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

public final class Client {
  private static final Action DRAW = Action.newBuilder().setDrawStock(Action.DrawStock.getDefaultInstance()).build();
  private static final int ACTIONS = 30, KILLS = 3;

  public static void main(String[] args) throws Exception {
    List<String> cases = Files.readAllLines(Path.of(args[1]));
    ManagedChannel fake = channel(args[0]);
    cases.parallelStream().forEach(line -> {
      String kind = line.split(" ")[3];
      for (int failures : kind.equals("again") ? new int[] {2} : kind.equals("once") ? new int[] {1, 2} : new int[] {1}) {
        retry(fake, line.split(" "), kind, cases.indexOf(line), failures);
      }
    });
    int again = 0;
    while (!cases.get(again).split(" ")[3].equals("again")) again++;
    // A deadline ends the retries, and the same request goes on after it.
    Room room = new Room(fake, token(again, 4));
    ByteString own = ByteString.copyFrom(new byte[16]);
    expect(Trouble.Retry.AGAIN, fails(() -> room.within(Duration.ofMillis(600)).act(DRAW, 7, own)).retry);
    Acted answer = room.act(DRAW, 7, own).orElseThrow().getActed();
    expect(5L, answer.getLogEnd().getSeq());
    expect(true, answer.getRepeatedRequest());
    fake.shutdownNow();
    System.out.printf("java: %d failures are repeated as the table says%n", cases.size());

    Recorder recorder = new Recorder(args[2], args[3]);
    // A test that fails leaves nothing behind.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> recorder.process.destroyForcibly()));
    ManagedChannel channel = channel(recorder.address);
    try {
      frozen(recorder, disturbed(recorder, channel));
    } finally {
      channel.shutdownNow();
    }
  }

  private static ManagedChannel channel(String address) {
    return NettyChannelBuilder.forTarget(address).usePlaintext().build();
  }

  /** A token of game CASE, FAILURES, a mark of this program, 0 ... */
  private static String token(int number, int failures) {
    String id = HexFormat.of().formatHex(new byte[] {(byte) number, (byte) failures, 9}) + "00".repeat(13);
    String claims = "{\"games\": [\"" + id + "\"], \"as\": [0]}";
    return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".none";
  }

  private static void retry(ManagedChannel channel, String[] line, String kind, int number, int failures) {
    Room room = new Room(channel, token(number, failures));
    String name = line[1] + " " + line[2];
    long began = System.nanoTime();
    if (kind.equals("again") || kind.equals("after") || kind.equals("once") && failures == 1) {
      Acted answer = room.act(DRAW, 7).orElseThrow().getActed();
      expect(failures + 1L, answer.getLogEnd().getSeq());
      expect(true, answer.getRepeatedRequest());
      expect(true, !kind.equals("after") || System.nanoTime() - began >= 700_000_000L);
    } else if (kind.equals("resynchronise")) {
      expect(true, room.act(DRAW, 7).isEmpty());
      expect(2L, room.act(DRAW, 7).orElseThrow().getActed().getLogEnd().getSeq());
    } else {
      Trouble trouble = fails(() -> room.act(DRAW, 7));
      expect(name + " attempt " + (kind.equals("once") ? 2 : 1), name + " " + trouble.getMessage());
      expect(line[2].equals("-") ? line[1] : line[2], trouble.reason);
      expect(kind.equals("told") ? "AGAIN" : kind.toUpperCase(), trouble.retry.name());
      expect(kind.equals("told"), trouble.delay.equals(java.util.Optional.of(Duration.ofSeconds(20))));
    }
  }

  /** A recorder with rooms, on a port that stays the same. */
  private static final class Recorder {
    final String program;
    final String folder;
    String address = "127.0.0.1:0";
    volatile Process process;
    volatile int kills;

    Recorder(String program, String folder) throws Exception {
      this.program = program;
      this.folder = folder;
      start();
    }

    void start() throws Exception {
      process = new ProcessBuilder(program, "--rooms", "--data", folder + "/data", "--drain-notice-ms", "0", "--listen", address).start();
      BufferedReader said = new BufferedReader(new InputStreamReader(process.getErrorStream()));
      for (String line; (line = said.readLine()) != null; ) {
        if (!line.contains(" on 127.0.0.1:")) continue;
        address = line.substring(line.lastIndexOf(' ') + 1);
        Thread reader = new Thread(() -> said.lines().forEach(each -> { }));
        reader.setDaemon(true);
        reader.start();
        return;
      }
      throw new AssertionError("the recorder did not start");
    }

    void signal(String name) throws Exception {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /** Freezes it and kills it by turns. */
    void disturb() {
      try {
        while (kills < KILLS) {
          Thread.sleep(300);
          signal("STOP");
          Thread.sleep(1_200);
          signal("CONT");
          Thread.sleep(300);
          process.destroyForcibly().waitFor();
          kills += 1;
          Thread.sleep(500);
          start();
        }
      } catch (Exception error) {
        throw new AssertionError(error);
      }
    }
  }

  private static CreateRequest game() {
    CreateRequest.Builder game = CreateRequest.newBuilder().setRuleSet("classic-4p").setDealMode(DealMode.DEAL_MODE_SEEDED)
        .setAutoTable(true).setCreator(Actor.newBuilder().setSeat(0));
    for (String name : List.of("Ann", "Bob", "Cem", "Dan")) game.addPlayers(Player.newBuilder().setName(name));
    for (int seat = 1; seat < 4; seat++) game.addBots(Bot.newBuilder().setSeat(seat));
    return game.build();
  }

  /** Plays while the recorder is frozen and killed: every action is recorded once, and no entry is missed. */
  private static Room disturbed(Recorder recorder, ManagedChannel channel) throws Exception {
    Room room = Room.create(channel, game());
    Thread trouble = new Thread(recorder::disturb);
    trouble.setDaemon(true);
    trouble.start();
    Set<Long> acted = new TreeSet<>();
    List<Long> ends = new ArrayList<>();
    // Shorter than the recorder is frozen, so that the news are asked for anew in its silence.
    for (WatchResponse message : room.listening(Duration.ofMillis(900)).news()) {
      View view = message.getObservation().getView();
      expect(true, view.getSeatsList().stream().noneMatch(seat -> seat.getName().isEmpty()));
      if (message.hasObservation() && !message.getSnapshot()) ends.add(message.getLogEnd().getN());
      if (acted.size() >= ACTIONS && recorder.kills >= KILLS) break;
      if (!view.hasToAct() || view.getToAct() != 0) continue;
      ActResponse answer = room.within(Duration.ofSeconds(60)).act(room.suggest(), message.getLogEnd().getSeq()).orElseThrow();
      expect(true, answer.hasActed());
      acted.add(answer.getActed().getLogEnd().getSeq());
    }
    trouble.join();
    long own = room.describe(0, false).stream().map(DescribedRecord::getRecord)
        .filter(record -> record.hasAction() && record.getActor().hasSeat() && record.getActor().getSeat() == 0).count();
    expect((long) acted.size(), own);
    expect(new ArrayList<>(new TreeSet<>(ends)), ends);
    System.out.printf("java: %d actions beside a recorder that freezes and dies %d times, none twice%n", own, KILLS);
    return room;
  }

  /** A frozen recorder: calls end at their deadline, and when the room is closed or their thread is interrupted. */
  private static void frozen(Recorder recorder, Room room) throws Exception {
    recorder.signal("STOP");
    expect("DEADLINE_EXCEEDED", fails(() -> room.within(Duration.ofSeconds(1)).suggest()).reason);
    Thread.currentThread().interrupt();
    expect("CANCELLED", fails(room::suggest).reason);
    expect(true, Thread.interrupted());
    new Thread(() -> {
      try {
        Thread.sleep(500);
      } catch (InterruptedException error) {
        throw new AssertionError(error);
      }
      room.close();
    }).start();
    long began = System.nanoTime();
    expect("CANCELLED", fails(room::suggest).reason);
    expect(false, room.news().iterator().hasNext());
    expect(true, System.nanoTime() - began < 3_000_000_000L);
    recorder.signal("CONT");
  }

  private static Trouble fails(Runnable call) {
    try {
      call.run();
    } catch (Trouble trouble) {
      return trouble;
    }
    throw new AssertionError("expected a failure");
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) throw new AssertionError("expected " + expected + ", found " + found);
  }
}
