package dev.ron.mailbox.api;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.Query;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/send} and {@code /v1/send/batch}: takes messages in, and answers when they are
 * durable.
 *
 * <p>A JSON body is a form; any other content type is the payload itself, and the rest stands in
 * the query. {@code ?on_duplicate=refuse} turns a repeated key into a 409.
 *
 * <p>Threading: immutable.
 */
public record Send(MailboxContext desk) {

  /** For one message: its BLAKE3 in hex, checked before anything is taken. */
  private static final String PAYLOAD_HASH = "X-Payload-Hash";

  private static final int KEY_CHARS_MAX = 256;
  private static final int GROUP_CHARS_MAX = 100;
  private static final int ATTRS_MAX = 32;
  private static final int ATTR_CHARS_MAX = 1024;
  private static final Pattern ATTR_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final long DELAY_MILLIS_MAX = Duration.ofDays(7).toMillis();

  public static final Form FORM =
      MailboxContext.form(
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

  public static final Form BATCH =
      MailboxContext.form(Field.objects("messages", FORM, MailboxContext.BATCH_MAX));

  /**
   * A message as it was asked for, and where it belongs.
   *
   * @param formerly where its key may be known from before a change of the shards' number
   */
  public record Letter(Command.Send command, int shard, List<Integer> formerly) {}

  /**
   * What is said beside the form.
   *
   * @param payloadHash null if the sender did not say it
   */
  public record Manner(Caller caller, boolean refuseDuplicate, @Nullable String payloadHash) {
    static Manner of(Exchange exchange) throws Refusal {
      return new Manner(
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

  Blocking one() {
    return exchange -> {
      Letter letter = isForm(exchange) ? form(exchange) : raw(exchange);
      Optional<Answer> elsewhere = desk.elsewhere(exchange, letter.shard());
      if (elsewhere.isPresent()) {
        return elsewhere.get();
      }
      Outcome.Accepted accepted = send(letter);
      return desk.durable(
          Answer.json(200, MailboxJsonAnswer.accepted(accepted.id(), accepted.duplicate())));
    };
  }

  /** Returns when it is durable. */
  public Outcome.Accepted send(Letter letter) throws Refusal, InterruptedException {
    Instant begun = desk.time().now();
    Outcome known = desk.shards().known(letter.formerly(), letter.command());
    Outcome outcome = known == null ? desk.shards().ask(letter.shard(), letter.command()) : known;
    count(outcome, begun);
    return (Outcome.Accepted) MailboxContext.granted(outcome);
  }

  Blocking batch() {
    return exchange -> {
      Fields form = BATCH.read(exchange.body().collect(desk.batchBytesMax()));
      List<Letter> letters = letters(form, Manner.of(exchange));
      List<Outcome> outcomes = sendAll(letters);
      for (Outcome each : outcomes) {
        if (each instanceof Outcome.Refused(MailboxFault fault)) {
          exchange.refused(Refusal.of(fault));
        }
      }
      List<String> results = outcomes.stream().map(Send::result).toList();
      return desk.durable(Answer.json(200, MailboxJsonAnswer.results(results)));
    };
  }

  public List<Letter> letters(Fields form, Manner manner) throws Refusal {
    var letters = new ArrayList<Letter>();
    for (Fields each : MailboxContext.some(form, "messages")) {
      letters.add(letter(manner, each));
    }
    return letters;
  }

  /** All are asked before the first is waited for, so that they share a flush. */
  public List<Outcome> sendAll(List<Letter> letters) throws InterruptedException {
    Instant begun = desk.time().now();
    var known = new ArrayList<@Nullable Outcome>();
    var errands = new ArrayList<Shards.Errand>();
    for (Letter each : letters) {
      Outcome first = desk.shards().known(each.formerly(), each.command());
      known.add(first);
      if (first == null) {
        errands.add(new Shards.Errand(each.shard(), each.command()));
      }
    }
    Iterator<Reply<Outcome>> replies = desk.shards().submitAll(errands).iterator();
    var outcomes = new ArrayList<Outcome>();
    for (Outcome first : known) {
      Outcome outcome = first == null ? desk.shards().await(replies.next()) : first;
      count(outcome, begun);
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private static String result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted(Ulid id, boolean duplicate) ->
          MailboxJsonAnswer.accepted(id, duplicate);
      case Outcome.Refused(MailboxFault fault) -> MailboxJsonAnswer.refused(fault);
      case Outcome.Delivered _,
          Outcome.Empty _,
          Outcome.Corrupt _,
          Outcome.Done _,
          Outcome.Counted _,
          Outcome.Partly _ ->
          throw new IllegalStateException("a send was answered with " + outcome);
    };
  }

  private void count(Outcome outcome, Instant begun) {
    String what =
        switch (outcome) {
          case Outcome.Accepted(_, boolean duplicate) -> duplicate ? "duplicate" : "accepted";
          case Outcome.Refused(MailboxFault fault) -> fault.code();
          case Outcome.Delivered _,
              Outcome.Empty _,
              Outcome.Corrupt _,
              Outcome.Done _,
              Outcome.Counted _,
              Outcome.Partly _ ->
              "other";
        };
    desk.metrics().sends().labelValues(what).inc();
    double seconds = Duration.between(begun, desk.time().now()).toNanos() / 1e9;
    desk.metrics().enqueueSeconds().observe(seconds);
  }

  private static boolean isForm(Exchange exchange) {
    String type = exchange.headers().first("Content-Type");
    return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }

  private Letter form(Exchange exchange) throws java.io.IOException {
    return letter(Manner.of(exchange), FORM.read(exchange.body().collect(desk.formBytesMax())));
  }

  /** The rest stands in the query, under the names that the form has. */
  private Letter raw(Exchange exchange) throws java.io.IOException {
    Query query = exchange.query();
    for (String name : List.of("topic", "idem_key")) {
      if (query.first(name) == null) {
        throw MailboxContext.wrong(name, "is missing in the query");
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
    return letter(Manner.of(exchange), FORM.read(tree));
  }

  public Letter letter(Manner manner, Fields form) throws Refusal {
    String topic = form.text("topic");
    byte[] payload = form.bytes("payload_b64");
    Map<String, String> attrs = attrs(form);
    String promised = manner.promised(form);
    if (payload.length > payloadBytesMax()) {
      throw Refusal.of(
          new MailboxFault.FrameTooLarge("the payload", payload.length, payloadBytesMax()));
    }
    desk.rights().require(manner.caller(), "send", topic, payload.length);
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
            manner.caller().corrId(),
            desk.time().wall().toEpochMilli(),
            manner.refuseDuplicate());
    String sticky = orEmpty(form.textOrNull("sticky"));
    ShardLayout layout = desk.shards().topics().layout();
    long nowMillis = desk.time().now().toEpochMilli();
    long replayMillis = desk.config().tReplay().toMillis();
    return new Letter(
        command,
        layout.shard(topic, sticky),
        layout.formerly(topic, sticky, nowMillis, replayMillis));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private int payloadBytesMax() {
    return Math.toIntExact(desk.config().capacity().payloadBytes().bytes());
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
