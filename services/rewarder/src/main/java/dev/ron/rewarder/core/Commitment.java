package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Hash;
import dev.ron.usage.CanonicalJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One hash over everything a run took in and gave out.
 *
 * <p>{@code BLAKE3("ron/commitment/v1" || manifest)}, the manifest in canonical JSON without its
 * {@code commitment} and {@code attestations}. The allocations are in it by their root.
 *
 * <p>Threading: stateless.
 */
public final class Commitment {
  private static final byte[] TAG = "ron/commitment/v1".getBytes(US_ASCII);

  private Commitment() {}

  public static Hash of(Map<String, ? extends @Nullable Object> manifest) {
    var covered = new LinkedHashMap<String, @Nullable Object>(manifest);
    covered.remove("commitment");
    covered.remove("attestations");
    return new Blake3Hasher().update(TAG).update(CanonicalJson.bytes(covered)).hash();
  }
}
