package dev.ron.mailbox.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.retry.Backoff;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.ShardLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A life cycle as a table: a time in milliseconds, what is done, and what comes of it.
 *
 * <pre>
 * 0      send    m1 [topic=t] [group=g] [key=k] [body=b] [delay=ms]  -> m1 | duplicate-of m0 | code
 * 0      receive r1 30000 [topic=t]                                  -> m1 [#attempt] | empty
 * 0      ack     r1 | m1     -> done | code
 * 0      nack    r1 [delay=ms] [reason=text]  -> done | code
 * 0      extend  r1 5000     -> done | code
 * 0      dead                -> m1:reason:attempts ... | none
 * 0      reprocess [limit=n] [rate=n]  -> count | count and left code
 * 0      drop                -> count
 * 0      retain              -> count
 * 0      crash               -> (nothing; kept facts alone go on)
 * </pre>
 *
 * Names are the script's; the script checks that what comes back is what the name stands for.
 */
public final class MailboxScript {
  public static final ShardLimits LIMITS =
      new ShardLimits(
          4096,
          1000,
          300_000,
          4096,
          4096,
          new Attempts(5, new Backoff.FullJitter(Duration.ofMillis(200), Duration.ofSeconds(60))));

  private final KeptShard shard;
  private final RandomGenerator random = new SplittableRandom(1);
  private final Map<String, Ulid> ids = new HashMap<>();
  private final Map<Ulid, String> names = new HashMap<>();
  private final Map<String, Envelope> receipts = new HashMap<>();
  private long now;

  private MailboxScript(ShardLimits limits) {
    shard = new KeptShard(limits);
  }

  public static void play(String script) throws IOException {
    play(LIMITS, script);
  }

  public static void play(ShardLimits limits, String script) throws IOException {
    var player = new MailboxScript(limits);
    for (String line : script.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      String[] sides = line.split("\\s*->\\s*", 2);
      assertThat(player.step(sides[0].split("\\s+"))).as(line).isEqualTo(sides[1].strip());
    }
  }

  private String step(String[] words) throws IOException {
    now = Long.parseLong(words[0]);
    Map<String, String> options = new HashMap<>();
    for (int i = 2; i < words.length; i++) {
      String[] pair = words[i].split("=", 2);
      options.put(pair.length == 2 ? pair[0] : "arg" + (i - 2), pair[pair.length - 1]);
    }
    String first = options.getOrDefault("arg0", "");
    shard.tick(now, random);
    return switch (words[1]) {
      case "send" -> send(first, options);
      case "receive" -> receive(first, Long.parseLong(options.get("arg1")), options);
      case "ack" -> told(new Command.Ack(id(first), receipt(first), TopicReach.ALL));
      case "nack" ->
          told(
              new Command.Nack(
                  id(first),
                  receipt(first),
                  options.getOrDefault("reason", "no"),
                  options.containsKey("delay") ? Long.valueOf(options.get("delay")) : null,
                  TopicReach.ALL));
      case "extend" ->
          told(
              new Command.Extend(
                  id(first), receipt(first), Long.parseLong(options.get("arg1")), TopicReach.ALL));
      case "dead" -> dead();
      case "reprocess" ->
          told(
              new Command.Reprocess(
                  DeadLetterFilter.ALL,
                  Integer.parseInt(options.getOrDefault("limit", "100")),
                  Integer.parseInt(options.getOrDefault("rate", "0"))));
      case "drop" -> told(new Command.Drop(DeadLetterFilter.ALL, 100));
      case "retain" -> told(new Command.Retain(7 * 86_400_000L, 14 * 86_400_000L));
      case "crash" -> {
        shard.crash();
        yield "";
      }
      default -> throw new IllegalArgumentException(words[1]);
    };
  }

  private String send(String name, Map<String, String> options) throws IOException {
    byte[] body = options.getOrDefault("body", name).getBytes(UTF_8);
    Outcome outcome =
        run(
            new Command.Send(
                options.getOrDefault("topic", "t"),
                options.getOrDefault("key", name),
                body,
                Blake3.hash(body),
                Map.of(),
                Long.parseLong(options.getOrDefault("delay", "0")),
                options.getOrDefault("group", ""),
                "corr",
                now,
                false));
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

  private String receive(String name, long visibility, Map<String, String> options)
      throws IOException {
    Outcome outcome =
        run(new Command.Receive(options.getOrDefault("topic", "t"), visibility, Long.MAX_VALUE));
    if (outcome instanceof Outcome.Delivered(Envelope envelope)) {
      receipts.put(name, envelope);
      String message = names.get(envelope.message().id());
      return envelope.attempt() == 1 ? message : message + " #" + envelope.attempt();
    }
    return words(outcome);
  }

  private String told(Command command) throws IOException {
    return words(run(command));
  }

  private Outcome run(Command command) throws IOException {
    return shard.run(command, now, random);
  }

  private String dead() {
    var text = new StringBuilder();
    for (DeadLetter letter : shard.shard().deadLetters(DeadLetterFilter.ALL, 100)) {
      text.append(text.isEmpty() ? "" : " ")
          .append(names.get(letter.message().id()))
          .append(':')
          .append(letter.death().reason().code())
          .append(':')
          .append(letter.death().attempts())
          .append(':')
          .append(letter.death().lastError().replace(' ', '-'));
    }
    return text.isEmpty() ? "none" : text.toString();
  }

  private Ulid id(String name) {
    Envelope envelope = receipts.get(name);
    return envelope == null ? ids.get(name) : envelope.message().id();
  }

  private Receipt receipt(String name) {
    Envelope envelope = receipts.get(name);
    return envelope == null ? null : envelope.receipt();
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused refused -> refused.fault().code();
      case Outcome.Done _ -> "done";
      case Outcome.Empty _ -> "empty";
      case Outcome.Corrupt _ -> "corrupt";
      case Outcome.Counted counted -> Integer.toString(counted.count());
      case Outcome.Partly(int count, int left, var why) ->
          count + " and " + left + " " + why.code();
      case Outcome.Accepted _, Outcome.Delivered _, Outcome.Queue _, Outcome.Move _ ->
          throw new AssertionError(outcome.toString());
    };
  }
}
