package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.Shards;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What every verb works with, and the rules for values that several of them take.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record MailboxContext(
    Shards shards, MailboxRights rights, MailboxConfig config, MailboxMetrics metrics, Time time) {
  /** Entries of one batch: enough to share a flush, few enough for one answer. */
  static final int BATCH_MAX = 100;

  /** Room for names, attrs and quotes beside the payload. */
  public static final int FORM_BYTES = 64 << 10;

  private static final int TOPIC_CHARS_MAX = 200;
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*");
  private static final Pattern PLAIN = Pattern.compile("[^\\p{Cntrl}]+");

  /** Said on every answer to a send, so that nobody takes a weaker promise for the strong one. */
  private static final String DURABILITY = "Ron-Durability";

  private static final String STATE_AGE = "Ron-State-Age-Ms";

  /** What JSON makes of the largest payload. */
  public int formBytesMax() {
    return Math.toIntExact(config.capacity().payloadBytes().bytes() / 3 * 4 + 4 + FORM_BYTES);
  }

  public int batchBytesMax() {
    return Math.toIntExact(Math.min(64L << 20, 4L * formBytesMax()));
  }

  MailboxForm form(Exchange exchange, int bytesMax) throws IOException {
    return JsonFormReader.object(exchange.body().collect(bytesMax));
  }

  public MailboxForm form(Exchange exchange) throws IOException {
    return form(exchange, FORM_BYTES);
  }

  Answer durable(Answer answer) {
    return answer.with(DURABILITY, config.durability().words());
  }

  /** Says how old what is seen here may be, where another machine decides. */
  Answer aged(Answer answer) {
    return shards
        .age()
        .map(age -> answer.with(STATE_AGE, Long.toString(age.toMillis())))
        .orElse(answer);
  }

  /**
   * Where a client shall ask instead of here; empty if this machine decides the shard, or asks
   * whoever does.
   *
   * <p>Only for what concerns one shard: a batch is taken apart and forwarded.
   */
  Optional<Answer> elsewhere(Exchange exchange, int shard) {
    return shards
        .door(shard)
        .map(door -> Answer.empty(307).with("Location", door + exchange.head().target()));
  }

  static String topic(String text, String place) throws Refusal {
    if (text.length() > TOPIC_CHARS_MAX || !TOPIC.matcher(text).matches()) {
      throw MailboxForm.wrong(
          place,
          "must be 1 to %d of A-Z a-z 0-9 _ -, with single . or / between"
              .formatted(TOPIC_CHARS_MAX));
    }
    return text;
  }

  /** Text without controls. */
  static String plain(String text, String place, int charsMax) throws Refusal {
    if (text.length() > charsMax || !PLAIN.matcher(text).matches()) {
      throw MailboxForm.wrong(place, "must be 1 to %d characters, no controls".formatted(charsMax));
    }
    return text;
  }

  /** An id whose shard is one of ours; any other names nothing here. */
  Ulid id(String text) throws Refusal {
    return Ulid.parse(text)
        .filter(id -> id.shard() < shards.count())
        .orElseThrow(() -> Refusal.of(new MailboxFault.UnknownMessage(shown(text))));
  }

  private static String shown(String text) {
    String cut = text.length() > 26 ? text.substring(0, 26) + "..." : text;
    return cut.replaceAll("[^ -~]", "?");
  }

  static @Nullable Receipt receipt(MailboxForm form) throws Refusal {
    String text = form.textOrNull("receipt");
    if (text == null) {
      return null;
    }
    return Receipt.parse(text)
        .orElseThrow(() -> MailboxForm.wrong(form.place("receipt"), "is not a receipt"));
  }

  long visibilityMillis(MailboxForm form) throws Refusal {
    MailboxConfig.Visibility visibility = config.visibility();
    return form.number(
        "visibility_ms",
        visibility.visibilityDefault().toMillis(),
        visibility.visibilityMin().toMillis(),
        visibility.visibilityMax().toMillis());
  }

  /** The fault of an outcome, thrown. */
  static Outcome granted(Outcome outcome) throws Refusal {
    if (outcome instanceof Outcome.Refused(MailboxFault fault)) {
      throw Refusal.of(fault);
    }
    return outcome;
  }
}
