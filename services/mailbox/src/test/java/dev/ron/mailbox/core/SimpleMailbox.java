package dev.ron.mailbox.core;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.ShardLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The mailbox as one would explain it: a list of messages, looked through from the start each time.
 *
 * <p>It says what may happen; which of several groups is served next is left to the real one.
 *
 * <p>Threading: owned by the test.
 */
final class SimpleMailbox {
  final List<Row> rows = new ArrayList<>();
  final List<Sent> keys = new ArrayList<>();
  final Map<Ulid, Long> ackedAt = new HashMap<>();
  private final ShardLimits limits;

  /** One message. */
  static final class Row {
    final Ulid id;
    final String topic;
    final String group;
    long readyAt;
    Receipt receipt;
    long until;
    int attempts;
    boolean dead;

    Row(Ulid id, String topic, String group, long readyAt) {
      this.id = id;
      this.topic = topic;
      this.group = group;
      this.readyAt = readyAt;
    }

    boolean inFlight() {
      return receipt != null;
    }
  }

  record Sent(String topic, String key, Hash hash, Ulid id, long at) {}

  SimpleMailbox(ShardLimits limits) {
    this.limits = limits;
  }

  /** Leases that are over: back, or dead. */
  void tick(long now) {
    for (Row row : rows) {
      if (row.inFlight() && row.until <= now) {
        row.receipt = null;
        row.readyAt = 0;
        row.dead = row.attempts >= limits.attempts().max();
      }
    }
  }

  Sent known(String topic, String key, long now) {
    return keys.stream()
        .filter(k -> k.topic().equals(topic) && k.key().equals(key))
        .filter(k -> k.at() + limits.replayMillis() > now)
        .findFirst()
        .orElse(null);
  }

  int room() {
    return limits.capacity() - (int) rows.stream().filter(row -> !row.dead).count();
  }

  boolean full(long now) {
    long remembered = keys.stream().filter(k -> k.at() + limits.replayMillis() > now).count();
    return room() <= 0
        || rows.stream().filter(row -> row.dead).count() >= limits.deadMax()
        || remembered >= limits.keysMax();
  }

  /** What may be delivered: of each group the oldest that is ready. */
  List<Row> next(String topic, long now) {
    var firsts = new ArrayList<Row>();
    for (String group : rows.stream().map(row -> row.group).distinct().toList()) {
      rows.stream()
          .filter(row -> row.topic.equals(topic) && row.group.equals(group))
          .filter(row -> !row.dead && !row.inFlight() && row.readyAt <= now)
          .min(Comparator.comparing(row -> row.id))
          .ifPresent(firsts::add);
    }
    return firsts;
  }

  Row find(Ulid id) {
    return rows.stream().filter(row -> row.id.equals(id)).findFirst().orElse(null);
  }

  /** The refusal of a word about a message, or null. */
  String refusal(Ulid id, Receipt receipt, boolean mustBeInFlight) {
    Row row = find(id);
    if (row == null) {
      return "unknown-message";
    }
    boolean holds = row.inFlight() && (receipt == null || receipt.equals(row.receipt));
    return row.dead || (mustBeInFlight && !holds) ? "receipt-expired" : null;
  }

  /** Nobody holds anything any more, and a delivery that was under way did not happen. */
  void crash() {
    for (Row row : rows) {
      if (row.inFlight()) {
        row.receipt = null;
        row.readyAt = 0;
        row.attempts--;
      }
    }
  }
}
