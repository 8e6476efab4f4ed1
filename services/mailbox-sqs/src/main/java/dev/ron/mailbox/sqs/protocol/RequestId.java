package dev.ron.mailbox.sqs.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;

/**
 * The id that an answer carries: the correlation id of the request, as a UUID, which clients
 * expect.
 *
 * <p>Threading: stateless.
 */
public final class RequestId {
  public static final String FIELD = "x-amzn-RequestId";

  private static final int UUID_CHARS = 36;

  private RequestId() {}

  /** The same, or one made of it where the caller gave an id of another form. */
  public static String of(String corrId) {
    try {
      if (corrId.length() == UUID_CHARS) {
        return UUID.fromString(corrId).toString();
      }
    } catch (IllegalArgumentException _) {
      // made below
    }
    return UUID.nameUUIDFromBytes(corrId.getBytes(UTF_8)).toString();
  }
}
