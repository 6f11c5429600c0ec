// A table in the terminal: you against bots, a whole game. docs/start/FIRST_JAVA.md goes through it.
//     java FirstGame [ADDRESS [RULE_SET]]        your link is kept in FirstGame.link: end the program, and go on where you were

import canasta.client.Room;
import canasta.client.Trouble;
import canasta.v1.*;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;

public final class FirstGame {
  private static final Path LINK = Path.of("FirstGame.link"), LOG = Path.of("FirstGame.clog");
  private static final List<String> NAMES = List.of("You", "Ann", "Ben", "Cem", "Dora", "Emil");
  private static final Scanner INPUT = new Scanner(System.in);

  public static void main(String[] args) throws Exception {
    String address = args.length > 0 ? args[0] : "127.0.0.1:50051", ruleSet = args.length > 1 ? args[1] : "classic-4p";
    ManagedChannel channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    try (Room room = placed(channel, ruleSet)) {
      play(room, GameServiceGrpc.newBlockingStub(channel));
      AuditLogResponse report = room.verdict().getReport();
      Files.write(LOG, room.log().toByteArray());
      System.out.printf("%s: %d records, %s%n", LOG, report.getRecords(), report.getVerdict());
    } catch (Trouble trouble) {
      System.err.println(trouble.getMessage());
    } finally {
      channel.shutdownNow();
    }
  }

  /** Your room: the one of the link that is kept, or a new one with bots on the other seats. */
  private static Room placed(ManagedChannel channel, String ruleSet) throws Exception {
    if (Files.exists(LINK)) return new Room(channel, Files.readString(LINK));
    RuleSetSummary known = GameServiceGrpc.newBlockingStub(channel)
        .getRuleSet(GetRuleSetRequest.newBuilder().setId(ruleSet).build()).getRuleSet().getSummary();
    CreateRequest.Builder request = CreateRequest.newBuilder().setRuleSet(ruleSet).setDealMode(DealMode.DEAL_MODE_COMMITTED)
        .setCreator(Actor.newBuilder().setSeat(0)).setAutoTable(true);
    // Some rule sets leave the first dealer to the table: to you.
    if (known.getDealerRequired()) request.setDealer(0);
    for (int seat = 0; seat < known.getSeats(); seat++) {
      request.addPlayers(Player.newBuilder().setName(NAMES.get(seat)));
      if (seat > 0) request.addBots(Bot.newBuilder().setSeat(seat));
    }
    Room room = Room.create(channel, request.build());
    Files.writeString(LINK, room.link.token);
    return room;
  }

  private static void play(Room room, GameServiceGrpc.GameServiceBlockingStub rules) {
    boolean auto = false;
    for (WatchResponse message : room.news()) {
      View view = message.getObservation().getView();
      for (Score score : message.getRoundEnd().getScoresList()) {
        String owner = score.hasSide() ? "side " + score.getSide() : "seat " + score.getSeat();
        System.out.printf("round %d, %s: %d, now %d%n", message.getRoundEnd().getRound(), owner, score.getTotal(), score.getCumulative());
      }
      while (view.hasToAct() && view.getToAct() == room.link.actor.getSeat()) {
        Action action = null;
        if (!auto) {
          show(view);
          action = chosen(room);
          auto = action == null;
        }
        Optional<ActResponse> answer = room.act(auto ? room.suggest() : action, message.getLogEnd().getSeq());
        // Empty: another device of yours was faster. In both cases the news tell what has happened.
        if (answer.isEmpty() || answer.get().hasActed()) break;
        for (Violation violation : answer.get().getRejected().getViolationsList()) {
          Rule rule = rules.getRule(GetRuleRequest.newBuilder().setRuleId(violation.getRuleIds(0)).build()).getRule();
          System.out.printf("  not allowed: %s [%s]%n    %s: %s%n", violation.getMessage(), violation.getCode(), rule.getId(), rule.getText());
        }
      }
    }
  }

  /** Prints what your seat may see. */
  private static void show(View view) {
    System.out.printf("%nround %d: %d cards in the stock, %d in the pile under %s%n", view.getRound(), view.getStock(), view.getPile().getSize(), view.getPile().getTop());
    for (SideView side : view.getSidesList()) {
      System.out.printf("  side %d:%s%n", side.getSide(), side.getMeldsList().stream().map(meld -> " " + String.join(" ", meld.getCardsList())).reduce("", (all, meld) -> all + " ·" + meld));
    }
    for (SeatView seat : view.getSeatsList()) {
      System.out.printf("  %s: %s%n", seat.getName(), seat.getHandCount() > 0 ? String.join(" ", seat.getHandList()) : seat.getHandSize() + " cards");
    }
  }

  /** Returns what you want to do; null for: play on for me. */
  private static Action chosen(Room room) {
    List<Action> actions = room.legal();
    for (int at = 0; at < actions.size(); at++) System.out.printf("  %3d %s%n", at + 1, words(actions.get(at)));
    while (true) {
      System.out.print("a number, or: discard 7h · hint · auto (play on for me) · quit\n> ");
      String line = INPUT.hasNextLine() ? INPUT.nextLine().strip() : "quit";
      if (line.equals("quit")) System.exit(0);
      if (line.equals("auto")) return null;
      if (line.equals("hint")) System.out.println("  " + words(room.suggest()));
      if (line.matches("[1-9][0-9]{0,3}") && Integer.parseInt(line) <= actions.size()) return actions.get(Integer.parseInt(line) - 1);
      // Whatever it is: the recorder knows what is wrong with it.
      if (line.startsWith("discard ")) return Action.newBuilder().setDiscard(Action.Discard.newBuilder().setCard(line.substring(8))).build();
    }
  }

  private static String words(Action action) {
    return action.toString().replaceAll("\\s+", " ");
  }
}
