package dev.ron.mailbox.api;

import static dev.ron.kernel.registry.RegistryJson.quoted;

import dev.ron.http.json.Schema;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.PeekedMessage;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.HashChain;
import dev.ron.mailbox.core.message.Message;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the mailbox answers, as JSON; the names are a contract.
 *
 * <p>Threading: immutable.
 */
public final class MailboxJsonAnswer {
  public static final String OK = "{\"ok\":true}";

  static final Schema ENVELOPE = Schema.of(EnvelopeFields.class);
  static final Schema ENVELOPES = listed(ENVELOPE);
  static final Schema DEAD_LETTER = Schema.of(DeadLetterFields.class);
  static final Schema DEAD_LETTERS = listed(DEAD_LETTER);
  static final Schema PEEKED = listed(Schema.of(PeekedFields.class));

  /** What {@link #envelope} writes, for the OpenAPI document. */
  @SuppressWarnings("ArrayRecordComponent") // never made
  private record EnvelopeFields(
      String msgId,
      String topic,
      long ts,
      String idemKey,
      byte[] payloadB64,
      String payloadHash,
      Map<String, String> attrs,
      String corrId,
      int shard,
      int attempt,
      String receipt,
      String hashChain) {}

  /** What {@link #deadLetter} writes, for the OpenAPI document. */
  @SuppressWarnings("ArrayRecordComponent") // never made
  private record DeadLetterFields(
      String msgId,
      String topic,
      long ts,
      String idemKey,
      byte @Nullable [] payloadB64,
      String payloadHash,
      Map<String, String> attrs,
      String corrId,
      int shard,
      String reason,
      int attempts,
      String lastError,
      long died) {}

  /** What {@link #peeked} writes, for the OpenAPI document. */
  @SuppressWarnings("ArrayRecordComponent") // never made
  private record PeekedFields(
      String msgId,
      String topic,
      long ts,
      String idemKey,
      byte[] payloadB64,
      String payloadHash,
      Map<String, String> attrs,
      String corrId,
      int shard,
      int attempt,
      String state) {}

  private MailboxJsonAnswer() {}

  private static Schema listed(Schema each) {
    return Schema.object(new TreeMap<>(Map.of("messages", Schema.list(each))), List.of("messages"));
  }

  static String sent(Send.Reply reply) {
    return "{\"msg_id\":\"" + reply.msgId() + "\",\"duplicate\":" + reply.duplicate() + "}";
  }

  static String refused(RefusedEntry entry) {
    return "{\"code\":%s,\"detail\":%s}".formatted(quoted(entry.code()), quoted(entry.detail()));
  }

  static <T> String results(List<T> results, Function<T, String> json) {
    return results.stream().map(json).collect(Collectors.joining(",", "{\"results\":[", "]}"));
  }

  static String messages(List<Envelope> envelopes) {
    return envelopes.stream()
        .map(MailboxJsonAnswer::envelope)
        .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
  }

  static String envelope(Envelope envelope) {
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
  static String deadLetter(DeadLetter letter, boolean withBody) {
    var out = new StringBuilder("{");
    message(out, letter.message(), withBody ? letter.body() : null);
    out.append(",\"shard\":").append(letter.message().id().shard());
    out.append(",\"reason\":").append(quoted(letter.death().reason().code()));
    out.append(",\"attempts\":").append(letter.death().attempts());
    out.append(",\"last_error\":").append(quoted(letter.death().lastError()));
    out.append(",\"died\":").append(letter.death().atMillis());
    return out.append('}').toString();
  }

  static String deadLetters(List<DeadLetter> letters) {
    return letters.stream()
        .map(letter -> deadLetter(letter, false))
        .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
  }

  /** Without receipts: what was only seen cannot be settled. */
  static String peeked(List<PeekedMessage> messages) {
    return messages.stream()
        .map(MailboxJsonAnswer::peeked)
        .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
  }

  private static String peeked(PeekedMessage seen) {
    Envelope envelope = seen.envelope();
    var out = new StringBuilder(256 + envelope.body().length * 4 / 3).append('{');
    message(out, envelope.message(), envelope.body());
    out.append(",\"shard\":").append(envelope.shard());
    out.append(",\"attempt\":").append(envelope.attempt());
    return out.append(",\"state\":").append(quoted(seen.state())).append('}').toString();
  }
}
