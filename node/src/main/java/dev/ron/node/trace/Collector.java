package dev.ron.node.trace;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server that takes spans.
 *
 * <p>Threading: immutable; a call waits and belongs on a thread of its own.
 */
record Collector(HttpClient http, URI uri, Headers fields) implements SpanSender {
  /** Those that the protocol calls worth another try. */
  private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

  private static final int ANSWER_BYTES_MAX = 64 << 10;
  private static final Duration WAIT_MAX = Duration.ofMinutes(1);

  @Override
  public String name() {
    return uri.getAuthority();
  }

  @Override
  public Verdict send(byte[] batch, Deadline deadline) throws InterruptedException {
    Headers all = fields.copy().set("Content-Type", "application/json");
    try (ClientAnswer answer = http.send(ClientRequest.of("POST", uri, all, batch), deadline)) {
      byte[] body = answer.collect(ANSWER_BYTES_MAX);
      if (answer.status() / 100 == 2) {
        return new Verdict.Taken(rejected(body));
      }
      String why = "status " + answer.status();
      return PASSING.contains(answer.status())
          ? new Verdict.Later(why, rest(answer.headers().first("Retry-After")))
          : new Verdict.Refused(why);
    } catch (Refusal silent) {
      return new Verdict.Later(silent.fault().detail(), Duration.ZERO);
    } catch (IOException cut) {
      return new Verdict.Later("the answer was cut", Duration.ZERO);
    }
  }

  /** Of a partial success; an answer that cannot be read tells of none. */
  static long rejected(byte[] body) {
    try {
      return body.length > 0
              && JsonTree.object(body).get("partialSuccess") instanceof Map<?, ?> partial
              && partial.get("rejectedSpans") != null
          ? Math.max(0, Long.parseLong(partial.get("rejectedSpans").toString()))
          : 0;
    } catch (Refusal | NumberFormatException unread) {
      return 0;
    }
  }

  /** In seconds; a date is not read, because backoff serves as well. */
  private static Duration rest(@Nullable String field) {
    if (field == null || !field.matches("[0-9]{1,6}")) {
      return Duration.ZERO;
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(field));
    return asked.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : asked;
  }
}
