package canasta.client;

import canasta.v1.Actor;
import canasta.v1.Role;
import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A link, as its token says; unverified: the recorder verifies it. */
public final class Link {
  public final String token;
  public final ByteString gameId;
  public final Actor actor;
  public final boolean isHost;
  public final ByteString tokenId;

  public Link(String token) {
    this.token = token;
    String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8);
    gameId = bytes(claim(claims, "games\":\\[\"([0-9a-f]{32})\"").orElseThrow(() -> new IllegalArgumentException("no token of a link")));
    tokenId = claim(claims, "jti\":\"([0-9a-f]{32})\"").map(Link::bytes).orElse(ByteString.EMPTY);
    isHost = claim(claims, "host\":(true)").isPresent();
    Actor.Builder who = Actor.newBuilder().setRole(Role.ROLE_SPECTATOR);
    claim(claims, "as\":\\[(\\d+)").map(Integer::valueOf).ifPresent(who::setSeat);
    claim(claims, "as\":\\[\"(TABLE|JUDGE|DIRECTOR)\"").map(role -> Role.valueOf("ROLE_" + role)).ifPresent(who::setRole);
    actor = who.build();
  }

  private static Optional<String> claim(String claims, String pattern) {
    Matcher found = Pattern.compile("\"" + pattern).matcher(claims.replace(" ", ""));
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  private static ByteString bytes(String digits) {
    byte[] found = new BigInteger("01" + digits, 16).toByteArray();
    return ByteString.copyFrom(found, 1, found.length - 1);
  }
}
