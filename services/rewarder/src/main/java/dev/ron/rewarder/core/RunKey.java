package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import java.nio.ByteBuffer;

/**
 * The name of a run: what goes into it, hashed.
 *
 * <p>{@code BLAKE3("ron/run/v1" || length of the epoch as u32 || epoch || policy || accounting ||
 * ledger)}, each address as its 32 bytes.
 *
 * <p>Threading: immutable.
 */
public record RunKey(Hash hash) {
  private static final byte[] TAG = "ron/run/v1".getBytes(US_ASCII);

  public static RunKey of(Inputs inputs) {
    byte[] epoch = inputs.epoch().getBytes(UTF_8);
    var bytes = ByteBuffer.allocate(TAG.length + Integer.BYTES + epoch.length + 3 * Hash.BYTES);
    bytes.put(TAG).putInt(epoch.length).put(epoch);
    bytes.put(inputs.policy().hash().bytes());
    bytes.put(inputs.accounting().hash().bytes());
    bytes.put(inputs.ledger().hash().bytes());
    return new RunKey(Blake3.hash(bytes.array()));
  }

  /** 64 lowercase digits. */
  public String hex() {
    return hash.hex();
  }
}
