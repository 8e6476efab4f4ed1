package dev.ron.rewarder.core;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.codec.digest.Blake3;

/**
 * What a third party that trusts none of our code writes to check a line: another BLAKE3, 40 lines.
 */
final class StrangersVerifier {
  record Step(boolean left, String hex) {}

  private StrangersVerifier() {}

  static boolean proves(byte[] root, long line, String actor, String amount, List<Step> proof) {
    byte[] name = actor.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    byte[] at =
        blake3(
            "ron/leaf/v1".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
            number(BigInteger.valueOf(line), 8),
            number(BigInteger.valueOf(name.length), 4),
            name,
            number(new BigInteger(amount), 16));
    byte[] tag = "ron/node/v1".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    for (Step step : proof) {
      byte[] other = HexFormat.of().parseHex(step.hex());
      at = step.left() ? blake3(tag, other, at) : blake3(tag, at, other);
    }
    return Arrays.equals(at, root);
  }

  private static byte[] number(BigInteger value, int length) {
    byte[] bytes = new byte[length];
    byte[] plain = value.toByteArray();
    int used = Math.min(length, plain.length);
    System.arraycopy(plain, plain.length - used, bytes, length - used, used);
    return bytes;
  }

  private static byte[] blake3(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return Blake3.hash(all.toByteArray());
  }
}
