package dev.ron.http.json;

import dev.ron.http.field.CorrelationId;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.Optional;

/**
 * The body of every error, {@code application/problem+json} (RFC 9457).
 *
 * <p>Threading: immutable.
 *
 * @param type names the kind of problem; the same for the same {@code code}
 * @param retryAfter whole seconds, as in the Retry-After field
 * @param instance the path that was asked for, where saying so gives nothing away
 */
public record ProblemBody(
    String type,
    String title,
    int status,
    String code,
    String detail,
    String corrId,
    Optional<Long> retryAfter,
    Optional<String> instance) {
  public static final String MEDIA_TYPE = "application/problem+json";
  private static final Json JSON = Json.strict(1);

  public ProblemBody {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status = " + status + " is not that of a problem");
    }
    if (retryAfter.isPresent() && retryAfter.get() < 0) {
      throw new IllegalArgumentException("retryAfter = " + retryAfter.get() + " is in the past");
    }
  }

  /** Everything but the status is the fault's own. */
  public static ProblemBody of(Fault fault, int status, CorrelationId corrId) {
    return new ProblemBody(
        "urn:ron:fault:" + fault.code(),
        fault.code().replace('-', ' '),
        status,
        fault.code(),
        fault.detail(),
        corrId.value(),
        fault.retryAfter().map(ProblemBody::wholeSeconds),
        Optional.empty());
  }

  public byte[] json() {
    return JSON.write(this);
  }

  /** Rounded up: a caller that comes back on time must not be early. */
  private static long wholeSeconds(Duration rest) {
    return rest.isNegative() ? 0 : Math.ceilDiv(rest.toMillis(), 1000L);
  }
}
