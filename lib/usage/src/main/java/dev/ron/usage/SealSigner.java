package dev.ron.usage;

import java.util.List;
import java.util.Map;

/**
 * Signs with the node's keys.
 *
 * <p>Threading: thread-safe.
 */
public interface SealSigner {
  /** One signature by each key: {@code alg}, {@code key}, {@code sig}. */
  List<Map<String, String>> sign(byte[] message);

  /** The public keys, in base64; the first names the node. */
  List<String> publicKeys();
}
