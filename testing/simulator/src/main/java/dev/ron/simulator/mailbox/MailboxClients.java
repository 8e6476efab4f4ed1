package dev.ron.simulator.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.queue.QueueReceive;
import dev.ron.mailbox.queue.QueueSend;
import dev.ron.mailbox.queue.QueueSettle;
import dev.ron.mailbox.shard.ReceiveRequest;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.cluster.FaultyCluster;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Senders and consumers, each call a thread on the machine that it came to, as a request is.
 *
 * <p>A call whose machine loses its power is never answered.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class MailboxClients {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final List<String> TOPICS = List.of("news", "mail", "jobs");
  private static final List<String> QUEUES =
      List.of("sqs/000000000001/one.fifo", "sqs/000000000001/two.fifo", "sqs/000000000001/plain");
  private static final int GROUPS = 2;
  private static final long T_REPLAY_MILLIS = 300_000;
  private static final long BYTES_MAX = 1 << 20;

  private final FaultyCluster<BootedService<MailboxMachine>> cluster;
  private final Simulation simulation;
  private final Scheduler scheduler;
  private final MessageLedger ledger = new MessageLedger();
  private final List<Held> held = new ArrayList<>();

  /** A message that a consumer has not settled. */
  private record Held(MessageLedger.Entry entry, Envelope envelope) {}

  MailboxClients(FaultyCluster<BootedService<MailboxMachine>> cluster, Simulation simulation) {
    this.cluster = cluster;
    this.simulation = simulation;
    this.scheduler = simulation.scheduler();
  }

  void call(PlanStep step) {
    BootedService<MailboxMachine> machine = cluster.machine(step.a());
    MailboxMachine at = machine.running().orElse(null);
    if (at == null) {
      return;
    }
    switch (step.verb()) {
      case "create" -> QUEUES.forEach(queue -> run(machine, () -> create(at, queue)));
      case "send" -> {
        String topic = TOPICS.get(step.b() % TOPICS.size());
        MessageLedger.Entry entry =
            ledger.attempt(topic, "", "key-" + ledger.all().size(), nowMillis());
        run(machine, () -> send(at, entry));
      }
      case "resend" -> {
        MessageLedger.Entry entry = recent(step.b());
        if (entry != null) {
          run(machine, () -> send(at, entry));
        }
      }
      case "receive" ->
          run(
              machine,
              () ->
                  receive(
                      at,
                      TOPICS.get(step.b() % TOPICS.size()),
                      1000L * (1 + step.c() % 30),
                      false));
      case "ack" -> settle(step, false, entry -> run(machine, () -> ack(at, entry)));
      case "nack" -> settle(step, false, entry -> run(machine, () -> nack(at, entry)));
      case "put" -> {
        String queue = QUEUES.get(step.b() % QUEUES.size());
        MessageLedger.Entry entry =
            ledger.attempt(
                queue,
                QueueTopic.isFifo(queue) ? "g" + step.c() % GROUPS : "",
                QueueTopic.isFifo(queue) ? "dedup-" + ledger.all().size() : "",
                nowMillis());
        run(machine, () -> put(at, entry));
      }
      case "take" ->
          run(
              machine,
              () -> take(at, QUEUES.get(step.b() % QUEUES.size()), 1 + step.c() % 20, false));
      case "delete" -> settle(step, true, entry -> run(machine, () -> delete(at, entry)));
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private long nowMillis() {
    return scheduler.now().toEpochMilli();
  }

  private MessageLedger.@Nullable Entry recent(int pick) {
    List<MessageLedger.Entry> some =
        ledger.all().stream()
            .filter(each -> !each.isQueued() && nowMillis() - each.sentMillis < T_REPLAY_MILLIS / 2)
            .toList();
    return some.isEmpty() ? null : some.get(pick % some.size());
  }

  private interface Settlement {
    void of(Held held);
  }

  private void settle(PlanStep step, boolean queued, Settlement settlement) {
    List<Held> some = held.stream().filter(each -> each.entry().isQueued() == queued).toList();
    if (!some.isEmpty()) {
      settlement.of(some.get(step.b() % some.size()));
    }
  }

  private void run(BootedService<MailboxMachine> machine, Callable<Boolean> call) {
    MailboxMachine at = machine.running().orElseThrow();
    machine
        .machine()
        .threads()
        .start(
            "request",
            () -> {
              try {
                Deadline.in(LIMIT, at.scope().time()).call(call);
              } catch (Violation broken) {
                scheduler.fail(broken);
              } catch (Exception wrong) {
                scheduler.fail(new Violation("a call is answered", wrong));
              }
            });
  }

  // ---- topics

  private boolean send(MailboxMachine at, MessageLedger.Entry entry) throws InterruptedException {
    int shard = at.shards().topics().mainShard(entry.topic);
    var send =
        new Command.Send(
            entry.topic,
            entry.key,
            entry.bytes(),
            Blake3.hash(entry.bytes()),
            Map.of(),
            0,
            "",
            "",
            at.scope().time().wall().toEpochMilli(),
            false);
    return sent(entry, at.shards().ask(shard, send));
  }

  private boolean sent(MessageLedger.Entry entry, Outcome outcome) {
    simulation.tell("client", "sent " + entry.body + ": " + outcome);
    switch (outcome) {
      case Outcome.Accepted(var id, _) -> ledger.accepted(entry, id);
      case Outcome.Refused _ -> {} // done or not, which a later receive may tell
      case Outcome other -> throw new Violation("a call is answered", "a send by " + other);
    }
    return true;
  }

  private boolean receive(MailboxMachine at, String topic, long visibilityMillis, boolean inTheEnd)
      throws InterruptedException {
    long before = ledger.began();
    var request = new ReceiveRequest(topic, visibilityMillis, 10, BYTES_MAX);
    return switch (at.shards().receive(request, Duration.ZERO)) {
      case ReceiveResult.Messages(List<Envelope> envelopes) ->
          received(topic, envelopes, before, inTheEnd);
      case ReceiveResult.Refused _ -> false;
    };
  }

  private boolean received(String topic, List<Envelope> envelopes, long before, boolean inTheEnd) {
    simulation.tell(
        "client",
        "received " + envelopes.stream().map(each -> new String(each.body(), UTF_8)).toList());
    ledger.delivered(topic, envelopes, before, inTheEnd);
    for (Envelope each : envelopes) {
      MessageLedger.Entry entry = ledger.find(each.message().id());
      if (entry != null) {
        held.removeIf(old -> old.entry() == entry);
        held.add(new Held(entry, each));
      }
    }
    return true;
  }

  private boolean ack(MailboxMachine at, Held message) throws InterruptedException {
    message.entry().deleteTried = true;
    Envelope envelope = message.envelope();
    Outcome outcome =
        at.shards()
            .ask(
                envelope.shard(),
                new Command.Ack(envelope.message().id(), envelope.receipt(), TopicReach.ALL));
    return settled(message, outcome);
  }

  private boolean settled(Held message, Outcome outcome) {
    simulation.tell("client", "deleted " + message.entry().body + ": " + outcome);
    if (outcome instanceof Outcome.Done) {
      ledger.deleted(message.entry());
      held.remove(message);
    }
    return true;
  }

  private static boolean nack(MailboxMachine at, Held message) throws InterruptedException {
    Envelope envelope = message.envelope();
    at.shards()
        .ask(
            envelope.shard(),
            new Command.Nack(
                envelope.message().id(), envelope.receipt(), "again", 0L, TopicReach.ALL));
    return true;
  }

  // ---- queues

  private static boolean create(MailboxMachine at, String queue) throws InterruptedException {
    at.queues()
        .create(QueueRecord.wanted(queue, QueueSettings.DEFAULTS, Map.of(), Map.of()), List.of());
    return true;
  }

  private boolean put(MailboxMachine at, MessageLedger.Entry entry) throws InterruptedException {
    var send =
        new QueueSend(
            entry.bytes(), Map.of(), null, entry.group, entry.key, "", entry.bytes().length, "");
    return sent(entry, at.queues().send(entry.topic, List.of(send)).getFirst());
  }

  private boolean take(MailboxMachine at, String queue, int visibilitySeconds, boolean inTheEnd)
      throws InterruptedException {
    long before = ledger.began();
    var receive = new QueueReceive(queue, 10, visibilitySeconds, 0, "");
    return switch (at.queues().receive(receive)) {
      case QueryResult.Seen<List<Envelope>>(List<Envelope> envelopes) ->
          received(queue, envelopes, before, inTheEnd);
      case QueryResult.Refused<List<Envelope>> _ -> false;
    };
  }

  private boolean delete(MailboxMachine at, Held message) throws InterruptedException {
    message.entry().deleteTried = true;
    Envelope envelope = message.envelope();
    var settle = QueueSettle.delete(envelope.message().id(), envelope.receipt());
    return settled(message, at.queues().settle(message.entry().topic, List.of(settle)).getFirst());
  }

  // ---- the end

  /** Receives whatever is left, and compares it with what was accepted. */
  void receiveRest() {
    scheduler.run(Duration.ofSeconds(60));
    for (int round = 0; round < 4; round++) {
      for (BootedService<MailboxMachine> each : cluster.machines()) {
        MailboxMachine at = each.running().orElseThrow();
        for (String topic : TOPICS) {
          for (int i = 0; i < 1 + ledger.all().size() / 10; i++) {
            run(each, () -> receive(at, topic, 3_600_000, true));
          }
        }
        for (String queue : QUEUES) {
          run(each, () -> emptied(at, queue));
        }
        scheduler.run(Duration.ofSeconds(20));
      }
    }
    ledger.checkConserved();
  }

  private boolean emptied(MailboxMachine at, String queue) throws InterruptedException {
    for (int i = 0; i <= ledger.all().size(); i++) {
      int before = held.size();
      take(at, queue, 30, true);
      List<Held> mine = held.stream().filter(each -> each.entry().topic.equals(queue)).toList();
      if (mine.isEmpty() && held.size() == before) {
        return true;
      }
      for (Held each : mine) {
        delete(at, each);
      }
    }
    return true;
  }
}
