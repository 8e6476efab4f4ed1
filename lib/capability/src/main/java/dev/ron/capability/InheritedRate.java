package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.caveat.Caveat;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * One {@code rate} caveat of a token, and the name of what it is counted under.
 *
 * <p>The name stands for the identifier and all caveats up to this one. Everything that is
 * attenuated from there on has the same beginning, so all copies draw on one count; a copy with a
 * rate of its own is counted under both. Without that, each copy with another rate would begin with
 * a count of its own, and a holder could widen a token by narrowing it often.
 *
 * <p>Threading: immutable.
 */
public record InheritedRate(String sharedName, long perSecond) {
  private static final int NAME_BYTES = 16;

  /** The rates of a token from the first to the last; one that is no lower than another is none. */
  static List<InheritedRate> of(String identifier, List<String> caveatTexts) {
    var rates = new ArrayList<InheritedRate>();
    MessageDigest digest = Macaroon.sha256();
    add(digest, identifier);
    long lowest = Long.MAX_VALUE;
    for (String text : caveatTexts) {
      add(digest, text);
      if (Caveat.parse(text) instanceof Caveat.Rate(long perSecond) && perSecond < lowest) {
        lowest = perSecond;
        rates.add(new InheritedRate(name(digest), perSecond));
      }
    }
    return List.copyOf(rates);
  }

  /** With its length, so that two texts are never taken for one. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static String name(MessageDigest soFar) {
    try {
      var copy = (MessageDigest) soFar.clone();
      return HexFormat.of().formatHex(copy.digest(), 0, NAME_BYTES);
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the JDK's SHA-256 can be cloned", impossible);
    }
  }
}
