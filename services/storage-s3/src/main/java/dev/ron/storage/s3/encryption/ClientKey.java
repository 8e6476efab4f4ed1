package dev.ron.storage.s3.encryption;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A key that a client sends along, which is used and forgotten.
 *
 * <p>Threading: immutable.
 *
 * @param md5 as it was sent, base64
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClientKey(byte[] key, String md5) {
  /** Before the names of its fields in a request for the object itself. */
  public static final String OF_OBJECT = "x-amz-server-side-encryption-customer-";

  /** The same for the source of a copy. */
  public static final String OF_SOURCE = "x-amz-copy-source-server-side-encryption-customer-";

  public static final String ALGORITHM = "algorithm";
  public static final String MD5 = "key-MD5";
  public static final String AES256 = "AES256";

  /** Never the key: what is printed is read by others. */
  @Override
  public String toString() {
    return "a client's key";
  }

  /**
   * Empty if no field of one is there; refuses half of one.
   *
   * @param names what the names of its fields begin with
   */
  public static Optional<ClientKey> of(Headers headers, String names) throws Refusal {
    String algorithm = headers.first(names + ALGORITHM);
    String key = headers.first(names + "key");
    String md5 = headers.first(names + MD5);
    if (algorithm == null && key == null && md5 == null) {
      return Optional.empty();
    }
    if (!AES256.equals(algorithm)) {
      throw invalid(
          "Requests specifying Server Side Encryption with Customer provided keys must provide a"
              + " valid encryption algorithm: AES256");
    }
    byte[] bytes = decoded(key, Aes.KEY_BYTES, "an appropriate secret key");
    byte[] said = decoded(md5, 16, "the client calculated MD5 of the secret key");
    if (!MessageDigest.isEqual(said, md5(bytes))) {
      throw invalid("The calculated MD5 hash of the key did not match the hash that was provided.");
    }
    return Optional.of(new ClientKey(bytes, Base64.getEncoder().encodeToString(said)));
  }

  private static byte[] decoded(@Nullable String text, int bytes, String what) throws Refusal {
    try {
      byte[] decoded = text == null ? new byte[0] : Base64.getDecoder().decode(text.strip());
      if (decoded.length == bytes) {
        return decoded;
      }
    } catch (IllegalArgumentException _) {
      // said below
    }
    throw invalid(
        "Requests specifying Server Side Encryption with Customer provided keys must provide "
            + what
            + ".");
  }

  private static byte[] md5(byte[] key) {
    try {
      return MessageDigest.getInstance("MD5").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  private static Refusal invalid(String why) {
    return Refusal.of(new S3Fault.InvalidArgument(why));
  }
}
