package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * What an invited machine is given: where to ask, whom to believe there, and a secret that is good
 * once.
 *
 * <p>Threading: immutable.
 *
 * @param addresses host and port of doors where machines join
 * @param authority fingerprint of the certificate that the door's own must be signed by
 */
record JoinToken(String cluster, List<String> addresses, String authority, String secret) {
  private static final String PREFIX = "ron-join-";
  private static final int CHARS_MAX = 4096;

  JoinToken {
    for (Object each : new Object[] {cluster, addresses, authority, secret}) {
      Objects.requireNonNull(each, "a part of the invitation");
    }
    addresses = List.copyOf(addresses);
  }

  String text() {
    return PREFIX
        + Base64.getUrlEncoder().withoutPadding().encodeToString(Json.plain().write(this));
  }

  static JoinToken parse(String text) {
    String all = text.strip();
    if (!all.startsWith(PREFIX) || all.length() > CHARS_MAX) {
      throw wrong();
    }
    try {
      byte[] json = Base64.getUrlDecoder().decode(all.substring(PREFIX.length()).getBytes(UTF_8));
      if (Json.tolerant().read(json, JoinToken.class)
              instanceof JsonRead.Value<JoinToken>(var token)
          && !token.addresses().isEmpty()) {
        return token;
      }
    } catch (IllegalArgumentException notBase64) {
      // said below
    }
    throw wrong();
  }

  private static IllegalArgumentException wrong() {
    return new IllegalArgumentException(
        "this is no invitation, or not all of it: `ron cluster invite` on a machine of the cluster"
            + " prints one, which begins with "
            + PREFIX);
  }

  /** A fingerprint and a secret are for no log. */
  @Override
  public String toString() {
    return "JoinToken[" + cluster + "]";
  }
}
