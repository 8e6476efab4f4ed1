package dev.ron.mailbox.api;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.json.Schema;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.Query;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ShardLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/send}: takes a message in, and answers when it is durable.
 *
 * <p>A JSON body is a form; any other content type is the payload itself, and the rest stands in
 * the query. {@code ?on_duplicate=refuse} turns a repeated key into a 409.
 *
 * <p>Threading: immutable.
 */
public record Send(MailboxContext context) implements ShardVerb<Send.Request, Send.Reply> {

  /** For one message: its BLAKE3 in hex, checked before anything is taken. */
  private static final String PAYLOAD_HASH = "X-Payload-Hash";

  private static final int KEY_CHARS_MAX = 256;
  private static final int GROUP_CHARS_MAX = 100;
  private static final int ATTRS_MAX = 32;
  private static final int ATTR_CHARS_MAX = 1024;
  private static final Pattern ATTR_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final long DELAY_MILLIS_MAX = Duration.ofDays(7).toMillis();

  static final List<Field> FIELDS =
      List.of(
          MailboxContext.TOPIC,
          MailboxContext.plain("idem_key", KEY_CHARS_MAX),
          Field.bytes("payload_b64"),
          Field.value(
                  "attrs",
                  Schema.map(Schema.TEXT),
                  raw -> raw instanceof Map<?, ?> ? raw : null,
                  "must be an object")
              .optional(),
          Field.number("delay_ms", 0, DELAY_MILLIS_MAX).optional(),
          MailboxContext.plain("group", GROUP_CHARS_MAX).optional(),
          MailboxContext.plain("sticky", GROUP_CHARS_MAX).optional(),
          Field.text("payload_hash").optional());

  public static final Form FORM = MailboxContext.form(FIELDS.toArray(Field[]::new));

  /**
   * A message as it was asked for, and where it belongs.
   *
   * @param formerly where its key may be known from before a change of the shards' number
   */
  public record Request(Command.Send command, int shard, List<Integer> formerly)
      implements ShardVerb.Request {}

  /** A message that is durable, or was before. */
  public record Reply(String msgId, boolean duplicate) implements SendBatch.Result {
    static Reply of(Outcome outcome) {
      var accepted = (Outcome.Accepted) outcome;
      return new Reply(accepted.id().toString(), accepted.duplicate());
    }
  }

  /**
   * What is said beside the form.
   *
   * @param payloadHash null if the sender did not say it
   */
  public record Terms(Caller caller, boolean refuseDuplicate, @Nullable String payloadHash) {
    static Terms of(Exchange exchange) throws Refusal {
      return new Terms(
          Caller.of(exchange),
          "refuse".equals(exchange.query().first("on_duplicate")),
          exchange.headers().first(PAYLOAD_HASH));
    }

    /** The form's own word, which may not contradict the header's. */
    @Nullable String promised(Fields form) throws Refusal {
      String hash = form.textOrNull("payload_hash");
      if (hash != null && payloadHash != null && !payloadHash.equals(hash)) {
        throw form.wrong("payload_hash", "is not what " + PAYLOAD_HASH + " says");
      }
      return hash == null ? payloadHash : hash;
    }
  }

  @Override
  public Form form() {
    return FORM;
  }

  @Override
  public Request parse(Exchange exchange) throws IOException {
    return request(
        Terms.of(exchange),
        isForm(exchange)
            ? FORM.read(exchange.body().collect(context.formBytesMax()))
            : FORM.read(raw(exchange)));
  }

  @Override
  public Request request(Caller caller, Fields form) throws Refusal {
    return request(new Terms(caller, false, null), form);
  }

  /** Returns when it is durable. */
  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    Instant begun = context.time().now();
    Outcome known = context.shards().known(request.formerly(), request.command());
    Outcome outcome =
        known == null ? context.shards().ask(request.shard(), request.command()) : known;
    count(outcome, begun);
    return Reply.of(MailboxContext.granted(outcome));
  }

  @Override
  public Answer write(Reply reply) {
    return context.durable(Answer.json(200, MailboxJsonAnswer.sent(reply)));
  }

  void count(Outcome outcome, Instant begun) {
    String what =
        switch (outcome) {
          case Outcome.Accepted(_, boolean duplicate) -> duplicate ? "duplicate" : "accepted";
          case Outcome.Refused(MailboxFault fault) -> fault.code();
          case Outcome.Delivered _,
              Outcome.Empty _,
              Outcome.Corrupt _,
              Outcome.Done _,
              Outcome.Counted _,
              Outcome.Partly _,
              Outcome.Queue _,
              Outcome.Move _ ->
              "other";
        };
    context.metrics().sends().labelValues(what).inc();
    double seconds = Duration.between(begun, context.time().now()).toNanos() / 1e9;
    context.metrics().enqueueSeconds().observe(seconds);
  }

  private static boolean isForm(Exchange exchange) {
    String type = exchange.headers().first("Content-Type");
    return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }

  /** curl names its form type where none is given, and few who type it mean that. */
  private static String hint(Exchange exchange) {
    String type = exchange.headers().first("Content-Type");
    return type == null || type.startsWith("application/x-www-form-urlencoded")
        ? "; for a form in the body send Content-Type: application/json"
        : "";
  }

  /** The rest stands in the query, under the names that the form has. */
  private Map<String, @Nullable Object> raw(Exchange exchange) throws IOException {
    Query query = exchange.query();
    for (String name : List.of("topic", "idem_key")) {
      if (query.first(name) == null) {
        throw MailboxContext.wrong(name, "is missing in the query" + hint(exchange));
      }
    }
    var tree = new LinkedHashMap<String, @Nullable Object>();
    for (String name : List.of("topic", "idem_key", "group", "sticky")) {
      String text = query.first(name);
      if (text != null) {
        tree.put(name, text);
      }
    }
    String delay = query.first("delay_ms");
    if (delay != null) {
      tree.put("delay_ms", delay(delay));
    }
    // One byte more than is taken, so that the refusal is the mailbox's own.
    tree.put("payload_b64", exchange.body().collect(payloadBytesMax() + 1));
    return tree;
  }

  public Request request(Terms terms, Fields form) throws Refusal {
    byte[] payload = form.bytes("payload_b64");
    Map<String, String> attrs = attrs(form);
    String promised = terms.promised(form);
    if (payload.length > payloadBytesMax()) {
      throw Refusal.of(
          new MailboxFault.FrameTooLarge("the payload", payload.length, payloadBytesMax()));
    }
    String topic =
        context.rights().require(terms.caller(), "send", form.text("topic"), payload.length);
    Hash hash = Blake3.hash(payload);
    if (promised != null && !promised.equals(hash.hex())) {
      throw Refusal.of(
          new MailboxFault.Integrity(
              "the payload's BLAKE3 is not the payload_hash that came with it; send it again"));
    }
    var command =
        new Command.Send(
            topic,
            form.text("idem_key"),
            payload,
            hash,
            attrs,
            form.number("delay_ms", 0),
            orEmpty(form.textOrNull("group")),
            terms.caller().corrId(),
            context.time().wall().toEpochMilli(),
            terms.refuseDuplicate());
    String sticky = orEmpty(form.textOrNull("sticky"));
    ShardLayout layout = context.shards().topics().layout();
    long nowMillis = context.time().now().toEpochMilli();
    long replayMillis = context.config().tReplay().toMillis();
    return new Request(
        command,
        context.shards().topics().sticky(topic, sticky),
        layout.formerly(topic, sticky, nowMillis, replayMillis));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private int payloadBytesMax() {
    return Math.toIntExact(context.config().capacity().payloadBytes().bytes());
  }

  private static long delay(String text) throws Refusal {
    if (!text.matches("[0-9]{1,9}") || Long.parseLong(text) > DELAY_MILLIS_MAX) {
      throw MailboxContext.wrong("delay_ms", "must be a whole number up to " + DELAY_MILLIS_MAX);
    }
    return Long.parseLong(text);
  }

  private static Map<String, String> attrs(Fields form) throws Refusal {
    Map<String, Object> raw = form.map("attrs", Object.class);
    if (raw.size() > ATTRS_MAX) {
      throw form.wrong("attrs", "has more than " + ATTRS_MAX + " entries");
    }
    var attrs = new LinkedHashMap<String, String>();
    for (Map.Entry<String, Object> each : raw.entrySet()) {
      boolean named = ATTR_NAME.matcher(each.getKey()).matches();
      if (named && !(each.getValue() instanceof String)) {
        throw form.wrong("attrs." + each.getKey(), "must be text");
      }
      if (!named || !(each.getValue() instanceof String text) || text.length() > ATTR_CHARS_MAX) {
        throw form.wrong(
            "attrs",
            "has a name that is not 1 to 64 of A-Z a-z 0-9 . _ -, or a value of more than "
                + ATTR_CHARS_MAX
                + " characters");
      }
      attrs.put(each.getKey(), text);
    }
    return attrs;
  }
}
