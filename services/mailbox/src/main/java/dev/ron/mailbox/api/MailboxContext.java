package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.json.Schema;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.Shards;
import java.io.IOException;
import java.util.List;
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

  /** What an operator says before a tenant's topic; a tenant's own token may not. */
  private static final String OWNER_FORM = "(~[A-Za-z0-9][A-Za-z0-9._:-]{0,63}/)?";

  private static final Pattern TOPIC_FORM =
      Pattern.compile(OWNER_FORM + "(?=.{1,200}$)[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*");
  static final String TOPIC_MUST =
      "must be 1 to 200 of A-Z a-z 0-9 _ -, with single . or / between";

  /** The field of that name, as every verb takes it. */
  static final Field TOPIC = Field.text("topic", TOPIC_FORM, TOPIC_MUST);

  static final Field RECEIPT =
      Field.value(
              "receipt",
              Schema.TEXT,
              raw -> raw instanceof String text ? Receipt.parse(text).orElse(null) : null,
              "is not a receipt")
          .optional();

  private static final Pattern PLAIN = Pattern.compile("[^\\p{Cntrl}]+");

  /** Said on every answer to a send, so that a weaker promise is not taken for the strong one. */
  private static final String DURABILITY = "Ron-Durability";

  private static final String STATE_AGE = "Ron-State-Age-Ms";

  /** What JSON makes of the largest payload. */
  public int formBytesMax() {
    return Math.toIntExact(config.capacity().payloadBytes().bytes() / 3 * 4 + 4 + FORM_BYTES);
  }

  public int batchBytesMax() {
    return Math.toIntExact(Math.min(64L << 20, 4L * formBytesMax()));
  }

  /** A body of this form, and of no more bytes than a form without a payload has. */
  public Fields form(Exchange exchange, Form form) throws IOException {
    return form.read(exchange.body().collect(FORM_BYTES));
  }

  public static Form form(Field... fields) {
    return Form.of(MailboxFault.Schema::new, fields);
  }

  /** What is wrong with a value, as a refusal. */
  public static Refusal wrong(String place, String what) {
    return Refusal.of(new MailboxFault.Schema(place + ": " + what));
  }

  /** The objects of a batch, of which there must be one at least. */
  static List<Fields> some(Fields form, String name) throws Refusal {
    List<Fields> all = form.objects(name);
    if (all.isEmpty()) {
      throw form.wrong(name, "must be a list of 1 to %d objects".formatted(BATCH_MAX));
    }
    return all;
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

  static String topic(String text) throws Refusal {
    if (!TOPIC_FORM.matcher(text).matches()) {
      throw wrong("topic", TOPIC_MUST);
    }
    return text;
  }

  /** Text without controls. */
  static Field plain(String name, int charsMax) {
    return Field.value(
        name,
        Schema.TEXT.with("minLength", 1).with("maxLength", charsMax),
        raw ->
            raw instanceof String text && text.length() <= charsMax && PLAIN.matcher(text).matches()
                ? text
                : null,
        "must be 1 to %d characters, no controls".formatted(charsMax));
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

  static @Nullable Receipt receipt(Fields form) {
    return form.has("receipt") ? form.value("receipt", Receipt.class) : null;
  }

  Field visibility() {
    MailboxConfig.Visibility visibility = config.visibility();
    return Field.number(
            "visibility_ms",
            visibility.visibilityMin().toMillis(),
            visibility.visibilityMax().toMillis())
        .optional();
  }

  long visibilityMillis(Fields form) {
    return form.number("visibility_ms", config.visibility().visibilityDefault().toMillis());
  }

  /** What a shard showed; a fault is thrown. */
  static <T> T seen(QueryResult<T> result) throws Refusal {
    return switch (result) {
      case QueryResult.Seen<T>(T value) -> value;
      case QueryResult.Refused<T>(MailboxFault fault) -> throw Refusal.of(fault);
    };
  }

  /** The fault of an outcome, thrown. */
  static Outcome granted(Outcome outcome) throws Refusal {
    if (outcome instanceof Outcome.Refused(MailboxFault fault)) {
      throw Refusal.of(fault);
    }
    return outcome;
  }
}
