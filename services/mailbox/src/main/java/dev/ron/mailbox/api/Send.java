package dev.ron.mailbox.api;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.http.Refusal;
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
    Manner promising(String hash, String place) throws Refusal {
      if (payloadHash != null && !payloadHash.equals(hash)) {
        throw MailboxForm.wrong(place, "is not what " + PAYLOAD_HASH + " says");
      }
      return new Manner(caller, refuseDuplicate, hash);
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
      MailboxForm form = desk.form(exchange, desk.batchBytesMax());
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

  public List<Letter> letters(MailboxForm form, Manner manner) throws Refusal {
    var letters = new ArrayList<Letter>();
    for (MailboxForm each : form.objects("messages", MailboxContext.BATCH_MAX)) {
      letters.add(letter(manner, each));
    }
    form.end();
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
    return letter(Manner.of(exchange), desk.form(exchange, desk.formBytesMax()));
  }

  public Letter letter(Manner manner, MailboxForm form) throws Refusal {
    String topic = form.text("topic");
    String key = form.text("idem_key");
    byte[] payload = form.bytes("payload_b64");
    Map<String, String> attrs = attrs(form);
    long delay = form.number("delay_ms", 0, 0, DELAY_MILLIS_MAX);
    String group = form.textOrNull("group");
    String sticky = form.textOrNull("sticky");
    String promised = form.textOrNull("payload_hash");
    form.end();
    return letter(
        promised == null ? manner : manner.promising(promised, form.place("payload_hash")),
        new Named(topic, key, group, sticky, form.place("")),
        payload,
        attrs,
        delay);
  }

  private Letter raw(Exchange exchange) throws java.io.IOException {
    Query query = exchange.query();
    String topic = query.first("topic");
    String key = query.first("idem_key");
    if (topic == null || key == null) {
      throw MailboxForm.wrong(topic == null ? "topic" : "idem_key", "is missing in the query");
    }
    String delayText = query.first("delay_ms");
    long delay = delayText == null ? 0 : delay(delayText);
    // One byte more than is taken, so that the refusal is the mailbox's own.
    byte[] payload = exchange.body().collect(payloadBytesMax() + 1);
    var named = new Named(topic, key, query.first("group"), query.first("sticky"), "");
    return letter(Manner.of(exchange), named, payload, Map.of(), delay);
  }

  /** The names of a message, unchecked. */
  private record Named(
      String topic, String key, @Nullable String group, @Nullable String sticky, String place) {}

  private Letter letter(
      Manner manner, Named named, byte[] payload, Map<String, String> attrs, long delay)
      throws Refusal {
    String topic = MailboxContext.topic(named.topic(), named.place() + "topic");
    if (payload.length > payloadBytesMax()) {
      throw Refusal.of(
          new MailboxFault.FrameTooLarge("the payload", payload.length, payloadBytesMax()));
    }
    desk.rights().require(manner.caller(), "send", topic, payload.length);
    Hash hash = Blake3.hash(payload);
    String promised = manner.payloadHash();
    if (promised != null && !promised.equals(hash.hex())) {
      throw Refusal.of(
          new MailboxFault.Integrity(
              "the payload's BLAKE3 is not the payload_hash that came with it; send it again"));
    }
    var command =
        new Command.Send(
            topic,
            MailboxContext.plain(named.key(), named.place() + "idem_key", KEY_CHARS_MAX),
            payload,
            hash,
            attrs,
            delay,
            optional(named.group(), named.place() + "group"),
            manner.caller().corrId(),
            desk.time().wall().toEpochMilli(),
            manner.refuseDuplicate());
    String sticky = optional(named.sticky(), named.place() + "sticky");
    ShardLayout layout = desk.shards().topics().layout();
    long nowMillis = desk.time().now().toEpochMilli();
    long replayMillis = desk.config().tReplay().toMillis();
    return new Letter(
        command,
        layout.shard(topic, sticky),
        layout.formerly(topic, sticky, nowMillis, replayMillis));
  }

  private int payloadBytesMax() {
    return Math.toIntExact(desk.config().capacity().payloadBytes().bytes());
  }

  private static String optional(@Nullable String text, String place) throws Refusal {
    return text == null ? "" : MailboxContext.plain(text, place, GROUP_CHARS_MAX);
  }

  private static long delay(String text) throws Refusal {
    if (!text.matches("[0-9]{1,9}") || Long.parseLong(text) > DELAY_MILLIS_MAX) {
      throw MailboxForm.wrong("delay_ms", "must be a whole number up to " + DELAY_MILLIS_MAX);
    }
    return Long.parseLong(text);
  }

  private static Map<String, String> attrs(MailboxForm form) throws Refusal {
    Map<String, String> attrs = form.texts("attrs");
    if (attrs.size() > ATTRS_MAX) {
      throw MailboxForm.wrong(form.place("attrs"), "has more than " + ATTRS_MAX + " entries");
    }
    for (Map.Entry<String, String> each : attrs.entrySet()) {
      if (!ATTR_NAME.matcher(each.getKey()).matches()
          || each.getValue().length() > ATTR_CHARS_MAX) {
        throw MailboxForm.wrong(
            form.place("attrs"),
            "has a name that is not 1 to 64 of A-Z a-z 0-9 . _ -, or a value of more than "
                + ATTR_CHARS_MAX
                + " characters");
      }
    }
    return attrs;
  }
}
