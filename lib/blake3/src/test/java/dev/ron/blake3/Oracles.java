package dev.ron.blake3;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.commons.codec.digest.Blake3;
import org.bouncycastle.crypto.digests.Blake3Digest;

/** Two implementations of BLAKE3 that are not ours. */
final class Oracles {
  private Oracles() {}

  static Hash commons(byte[] in, int length) {
    Blake3 oracle = Blake3.initHash();
    oracle.update(in, 0, length);
    return Hash.of(oracle.doFinalize(Hash.BYTES));
  }

  static byte[] commonsOutput(byte[] in, int outputBytes) {
    return Blake3.initHash().update(in).doFinalize(outputBytes);
  }

  static byte[] commonsKeyed(byte[] key, byte[] in, int outputBytes) {
    return Blake3.initKeyedHash(key).update(in).doFinalize(outputBytes);
  }

  static byte[] commonsDerived(String context, byte[] in, int outputBytes) {
    return Blake3.initKeyDerivationFunction(context.getBytes(UTF_8))
        .update(in)
        .doFinalize(outputBytes);
  }

  static Hash bouncyCastle(byte[] in, int length) {
    Blake3Digest oracle = new Blake3Digest();
    oracle.update(in, 0, length);
    byte[] out = new byte[Hash.BYTES];
    oracle.doFinal(out, 0);
    return Hash.of(out);
  }
}
