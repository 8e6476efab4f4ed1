package dev.ron.blake3;

import org.apache.commons.codec.digest.Blake3;
import org.bouncycastle.crypto.digests.Blake3Digest;

/** Two implementations of BLAKE3 that are not ours. */
public final class Oracles {
  private Oracles() {}

  public static Hash commons(byte[] in, int length) {
    Blake3 oracle = Blake3.initHash();
    oracle.update(in, 0, length);
    return Hash.of(oracle.doFinalize(Hash.BYTES));
  }

  static Hash commonsKeyed(byte[] key, byte[] in) {
    return Hash.of(Blake3.initKeyedHash(key).update(in).doFinalize(Hash.BYTES));
  }

  static Hash bouncyCastle(byte[] in, int length) {
    Blake3Digest oracle = new Blake3Digest();
    oracle.update(in, 0, length);
    byte[] out = new byte[Hash.BYTES];
    oracle.doFinal(out, 0);
    return Hash.of(out);
  }
}
