package dev.ron.http;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import dev.ron.kernel.registry.RegistryJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A fault as an RFC 9457 problem: {@code application/problem+json}.
 *
 * <p>Threading: immutable.
 */
public record Problem(int status, Fault fault, String corrId) {
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final int TOO_MANY = 429;

  public byte[] json() {
    var out = new StringBuilder(192);
    Said said = fault.said();
    out.append("{\"code\":").append(RegistryJson.quoted(said.code()));
    out.append(",\"status\":").append(status);
    out.append(",\"detail\":").append(RegistryJson.quoted(said.text()));
    out.append(",\"corr_id\":").append(RegistryJson.quoted(corrId));
    fault
        .retryAfter()
        .ifPresent(rest -> out.append(",\"retry_after\":").append(retryAfterSeconds(rest)));
    fault
        .members()
        .forEach(
            (name, value) ->
                out.append(',')
                    .append(RegistryJson.quoted(name))
                    .append(':')
                    .append(RegistryJson.quoted(value)));
    return out.append('}').toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Refused because a bound of ours was reached: 429 says that fewer requests would have been
   * taken, and the blame says whether a queue was full or the caller exceeded its own rate.
   */
  public boolean busy() {
    return status == TOO_MANY && fault.blame() == Blame.US;
  }

  /** Whole seconds, rounded up, at least one: a zero would ask for a retry storm. */
  public static long retryAfterSeconds(Duration rest) {
    return Math.max(1, Math.ceilDiv(rest.toMillis(), 1000L));
  }
}
