package dev.ron.mailbox.api;

import static dev.ron.kernel.registry.RegistryJson.quoted;

import dev.ron.kernel.fault.Fault;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.TopicView;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.HashChain;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the mailbox answers, as JSON; the names are a contract.
 *
 * <p>Threading: immutable.
 */
public final class MailboxJsonAnswer {
  public static final String OK = "{\"ok\":true}";

  private MailboxJsonAnswer() {}

  public static String accepted(Ulid id, boolean duplicate) {
    return "{\"msg_id\":\"%s\",\"duplicate\":%s}".formatted(id, duplicate);
  }

  /** One entry of a batch that was refused. */
  public static String refused(Fault fault) {
    return "{\"code\":%s,\"detail\":%s}".formatted(quoted(fault.code()), quoted(fault.detail()));
  }

  public static String results(List<String> each) {
    return "{\"results\":[" + String.join(",", each) + "]}";
  }

  public static String counted(int count) {
    return "{\"ok\":true,\"count\":" + count + "}";
  }

  public static String messages(List<Envelope> envelopes) {
    return envelopes.stream()
        .map(MailboxJsonAnswer::envelope)
        .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
  }

  public static String envelope(Envelope envelope) {
    var out = new StringBuilder(256 + envelope.body().length * 4 / 3);
    out.append('{');
    message(out, envelope.message(), envelope.body());
    out.append(",\"shard\":").append(envelope.shard());
    out.append(",\"attempt\":").append(envelope.attempt());
    out.append(",\"receipt\":\"").append(envelope.receipt());
    out.append("\",\"hash_chain\":\"").append(HashChain.of(envelope.message()).hex());
    return out.append("\"}").toString();
  }

  private static void message(StringBuilder out, Message message, byte @Nullable [] body) {
    out.append("\"msg_id\":\"").append(message.id());
    out.append("\",\"topic\":").append(quoted(message.topic()));
    out.append(",\"ts\":").append(message.tsMillis());
    out.append(",\"idem_key\":").append(quoted(message.idemKey()));
    if (body != null) {
      out.append(",\"payload_b64\":\"").append(Base64.getEncoder().encodeToString(body));
      out.append('"');
    }
    out.append(",\"payload_hash\":\"").append(message.payloadHash().hex());
    out.append("\",\"attrs\":").append(texts(message.attrs()));
    out.append(",\"corr_id\":").append(quoted(message.corrId()));
  }

  private static String texts(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(each -> quoted(each.getKey()) + ":" + quoted(each.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /**
   * @param withBody not in lists, which would otherwise be as large as all payloads together
   */
  public static String deadLetter(DeadLetter letter, boolean withBody) {
    var out = new StringBuilder("{");
    message(out, letter.message(), withBody ? letter.body() : null);
    out.append(",\"shard\":").append(letter.message().id().shard());
    out.append(",\"reason\":").append(quoted(letter.death().reason().code()));
    out.append(",\"attempts\":").append(letter.death().attempts());
    out.append(",\"last_error\":").append(quoted(letter.death().lastError()));
    out.append(",\"died\":").append(letter.death().atMillis());
    return out.append('}').toString();
  }

  public static String deadLetters(List<DeadLetter> letters) {
    return letters.stream()
        .map(letter -> deadLetter(letter, false))
        .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
  }

  public static String topics(Collection<List<TopicView>> topics, long nowMillis) {
    return topics.stream()
        .map(views -> topic(views, nowMillis))
        .collect(Collectors.joining(",", "{\"topics\":[", "]}"));
  }

  /** One topic: the sums, and the figures of each shard. */
  public static String topic(List<TopicView> views, long nowMillis) {
    var out = new StringBuilder("{\"topic\":").append(quoted(views.getFirst().topic()));
    long ready = views.stream().mapToLong(TopicView::ready).sum();
    long delayed = views.stream().mapToLong(TopicView::delayed).sum();
    long oldest =
        views.stream()
            .mapToLong(TopicView::oldestMillis)
            .filter(at -> at > 0)
            .map(at -> Math.max(0, nowMillis - at))
            .max()
            .orElse(0);
    out.append(",\"depth\":").append(ready + delayed);
    out.append(",\"ready\":").append(ready);
    out.append(",\"delayed\":").append(delayed);
    out.append(",\"in_flight\":").append(views.stream().mapToLong(TopicView::inFlight).sum());
    out.append(",\"dead\":").append(views.stream().mapToLong(TopicView::dead).sum());
    out.append(",\"oldest_age_ms\":").append(oldest);
    out.append(",\"sent\":").append(views.stream().mapToLong(TopicView::sent).sum());
    out.append(",\"acked\":").append(views.stream().mapToLong(TopicView::acked).sum());
    out.append(",\"shards\":");
    out.append(
        views.stream()
            .map(
                view ->
                    "{\"shard\":%d,\"ready\":%d,\"delayed\":%d,\"in_flight\":%d,\"dead\":%d}"
                        .formatted(
                            view.shard(),
                            view.ready(),
                            view.delayed(),
                            view.inFlight(),
                            view.dead()))
            .collect(Collectors.joining(",", "[", "]")));
    return out.append('}').toString();
  }
}
