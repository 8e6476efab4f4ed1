package dev.ron.mailbox.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueCounts;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveAllowance;
import dev.ron.mailbox.core.queue.RedriveTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The life of queues as a table: a time in milliseconds, what is done, and what comes of it.
 *
 * <pre>
 * 0  make    q [delay=s] [visibility=s] [retention=s] [bytes=n] [dlq=d:n] [scope=group] [named=A,B] -> made | why
 * 0  change  q (as make)                     -> made | code
 * 0  delete  q | purge q                     -> made | why
 * 0  send    m1 q [group=g] [dedup=d] [retry=k] [delay=s] [body=b]  -> m1 | duplicate-of m0 | code
 * 0  receive r1 q [visibility=ms] [max=n]    -> m1 m2#2 ... | empty | why
 * 0  done    r1.m1 | m1 [queue=q]            -> done | code     (m1 alone shows no receipt)
 * 0  visible r1.m1 30000                     -> done | code
 * 0  nack    r1.m1 30000                     -> done | code     (by the mailbox's own door)
 * 0  counts  q                               -> ready delayed in-flight
 * 0  peek    q                               -> m1:ready m2:in-flight ...
 * 0  from    r1.m1                           -> the queue it came from, and when it was received first
 * 0  move    d [to=q] [max=n]                -> count
 * 0  retain                                  -> count
 * 0  crash | snapshot                        ->
 * </pre>
 *
 * A queue {@code q} is the topic {@code sqs/1/q}. Before each line what is due is done, as the loop
 * does it.
 */
final class QueueScript {
  private final KeptShard shard = new KeptShard(MailboxScript.LIMITS);
  private final RandomGenerator random = new SplittableRandom(1);
  private final Map<String, Ulid> ids = new HashMap<>();
  private final Map<Ulid, String> names = new HashMap<>();
  private final Map<String, Envelope> received = new HashMap<>();
  private final Map<String, Long> retention = new HashMap<>();
  private long now;
  private Map<String, String> options = Map.of();

  static void play(String script) throws IOException {
    var player = new QueueScript();
    for (String line : script.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      String[] sides = line.split("\\s*->\\s*", 2);
      assertThat(player.step(sides[0].split("\\s+"))).as(line).isEqualTo(sides[1].strip());
    }
  }

  static String topic(String queue) {
    return "sqs/1/" + queue;
  }

  private String step(String[] words) throws IOException {
    now = 1_000_000 + Long.parseLong(words[0]);
    options = new HashMap<>();
    for (int i = 2; i < words.length; i++) {
      String[] pair = words[i].split("=", 2);
      options.put(pair.length == 2 ? pair[0] : "arg" + (i - 2), pair[pair.length - 1]);
    }
    String first = options.getOrDefault("arg0", "");
    shard.tick(now, random);
    return switch (words[1]) {
      case "make" -> make(topic(first));
      case "change" -> change(topic(first));
      case "delete" -> told(new QueueCommand.Delete(topic(first)));
      case "purge" -> told(new QueueCommand.Purge(topic(first)));
      case "send" -> send(first, topic(options.get("arg1")));
      case "receive" -> receive(first, topic(options.get("arg1")));
      case "done" -> told(settle(first, QueueCommand.Settle.DELETE));
      case "visible" -> told(settle(first, Long.parseLong(options.get("arg1"))));
      case "nack" -> told(nack(first, Long.parseLong(options.get("arg1"))));
      case "counts" -> {
        QueueCounts counts = shard.shard().queueCounts(topic(first));
        yield counts.ready() + " " + counts.delayed() + " " + counts.inFlight();
      }
      case "peek" -> peek(topic(first));
      case "from" -> {
        Envelope envelope = received.get(first);
        String from = envelope.movedFrom().replace("sqs/1/", "");
        yield (from + " " + (envelope.firstMillis() - 1_000_000)).strip();
      }
      case "move" ->
          told(
              new QueueCommand.Move(
                  topic(first),
                  options.containsKey("to") ? topic(options.get("to")) : "",
                  Integer.parseInt(options.getOrDefault("max", "100"))));
      case "start" ->
          told(
              new QueueCommand.StartMove(
                  new MoveTask(
                      options.get("arg1"),
                      topic(first),
                      "",
                      0,
                      now,
                      MoveTask.Status.RUNNING,
                      0,
                      0,
                      "")));
      case "cancel" ->
          told(
              new QueueCommand.MoveStep(
                  topic(first), options.get("arg1"), 0, MoveTask.Status.CANCELLED, ""));
      case "retain" -> told(new Command.Retain(7 * 86_400_000L, 14 * 86_400_000L, retention));
      case "crash" -> {
        shard.crash();
        yield "";
      }
      case "snapshot" -> {
        shard.snapshot();
        shard.crash();
        yield "";
      }
      default -> throw new IllegalArgumentException(words[1]);
    };
  }

  private int number(String name, int otherwise) {
    return Integer.parseInt(options.getOrDefault(name, Integer.toString(otherwise)));
  }

  private QueueSettings settings() {
    String[] dlq = options.getOrDefault("dlq", ":").split(":", -1);
    return new QueueSettings(
        number("delay", 0),
        number("bytes", 1 << 20),
        number("retention", 345_600),
        0,
        number("visibility", 30),
        dlq[0].isEmpty() ? null : new RedriveTarget(topic(dlq[0]), Integer.parseInt(dlq[1])),
        RedriveAllowance.ANY,
        false,
        options.getOrDefault("scope", "").equals("group"),
        false);
  }

  private String make(String topic) throws IOException {
    QueueRecord wanted = QueueRecord.wanted(topic, settings(), Map.of(), Map.of());
    List<String> named =
        options.containsKey("named") ? Arrays.asList(options.get("named").split(",")) : List.of();
    retention.put(topic, 1000L * wanted.settings().retentionSeconds());
    return told(new QueueCommand.Make(wanted, named));
  }

  private String change(String topic) throws IOException {
    QueueRecord there = shard.shard().queue(topic).orElseThrow();
    return told(new QueueCommand.Change(there.with(settings())));
  }

  private String send(String name, String topic) throws IOException {
    byte[] body = options.getOrDefault("body", name).getBytes(UTF_8);
    Outcome outcome =
        run(
            new QueueCommand.Put(
                topic,
                body,
                Blake3.hash(body),
                Map.of(),
                number("delay", -1),
                options.getOrDefault("group", ""),
                options.getOrDefault("dedup", topic.endsWith(".fifo") ? name : ""),
                options.getOrDefault("retry", ""),
                body.length,
                "corr",
                now));
    if (outcome instanceof Outcome.Accepted(Ulid id, boolean duplicate)) {
      if (duplicate) {
        return "duplicate-of " + names.get(id);
      }
      ids.put(name, id);
      names.put(id, name);
      return name;
    }
    return words(outcome);
  }

  /** As {@code ShardLoop} hands messages out: one by one, all in one call. */
  private String receive(String name, String topic) throws IOException {
    var all = new ArrayList<String>();
    var taken = new ArrayList<Long>();
    for (int left = number("max", 1); left > 0; left--) {
      Outcome outcome =
          run(new Command.Receive(topic, number("visibility", 30_000), Long.MAX_VALUE, taken));
      if (!(outcome instanceof Outcome.Delivered(Envelope envelope))) {
        return all.isEmpty() ? words(outcome) : String.join(" ", all);
      }
      String message = names.get(envelope.message().id());
      received.put(name + "." + message, envelope);
      taken.add(envelope.message().id().number());
      all.add(envelope.attempt() == 1 ? message : message + "#" + envelope.attempt());
    }
    return String.join(" ", all);
  }

  private QueueCommand settle(String name, long visibility) {
    Envelope envelope = received.get(name);
    Ulid id = envelope == null ? ids.get(name) : envelope.message().id();
    Receipt receipt = envelope == null ? null : envelope.receipt();
    String topic =
        options.containsKey("queue")
            ? topic(options.get("queue"))
            : shard.shard().topicOf(id).orElse("");
    return new QueueCommand.Settle(topic, id, receipt, visibility);
  }

  private Command nack(String name, long delayMillis) {
    Envelope envelope = received.get(name);
    return new Command.Nack(
        envelope.message().id(), envelope.receipt(), "", delayMillis, TopicReach.ALL);
  }

  private String peek(String topic) {
    return String.join(
        " ",
        shard.shard().peek(topic, 100, 1 << 20).stream()
            .map(seen -> names.get(seen.envelope().message().id()) + ":" + seen.state())
            .toList());
  }

  private String told(Command command) throws IOException {
    return words(run(command));
  }

  private Outcome run(Command command) throws IOException {
    return shard.run(command, now, random);
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused(MailboxFault.QueueRefused(var why, var detail)) ->
          why == QueueRefusal.NAME_TAKEN ? why + " " + detail : why.toString();
      case Outcome.Refused refused -> refused.fault().code();
      case Outcome.Queue _ -> "made";
      case Outcome.Move(MoveTask task) -> task.status().toString();
      case Outcome.Done _ -> "done";
      case Outcome.Empty _ -> "empty";
      case Outcome.Counted counted -> Integer.toString(counted.count());
      case Outcome other -> throw new AssertionError(other.toString());
    };
  }
}
