package dev.ron.mailbox.journal;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.QueueFact;
import java.util.Arrays;
import java.util.Optional;

/** The number of each kept fact on disk; a number is never used again for another. */
enum FactKind {
  SENT(1),
  // 2 to 4 were of version 1
  RETURNED(5),
  ACKED(6),
  DIED(7),
  REVIVED(8),
  DROPPED(9),
  CARRIED(10),
  QUEUE_KEPT(11),
  QUEUE_GONE(12),
  QUEUE_PURGED(13),
  MOVE_KEPT(14),
  MOVED(15),
  EXPIRED(16),
  // with when a message of a queue was received first
  RETURNED_FIRST(17),
  // of a queue: with when, and whether one machine keeps it too
  LEASED_AT(18),
  EXTENDED_DURABLE(19),
  // shared among machines only
  LEASED(20),
  EXTENDED(21);

  private final byte code;

  FactKind(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  static FactKind of(Fact fact) {
    return switch (fact) {
      case Fact.Sent _ -> SENT;
      case Fact.Carried _ -> CARRIED;
      case Fact.Returned returned -> returned.firstMillis() == 0 ? RETURNED : RETURNED_FIRST;
      case Fact.Acked _ -> ACKED;
      case Fact.Died _ -> DIED;
      case Fact.Revived _ -> REVIVED;
      case Fact.Dropped _ -> DROPPED;
      case Fact.Leased leased -> leased.atMillis() == 0 ? LEASED : LEASED_AT;
      case Fact.Extended extended -> extended.durable() ? EXTENDED_DURABLE : EXTENDED;
      case QueueFact.Kept _ -> QUEUE_KEPT;
      case QueueFact.Gone _ -> QUEUE_GONE;
      case QueueFact.Purged _ -> QUEUE_PURGED;
      case QueueFact.MoveKept _ -> MOVE_KEPT;
      case QueueFact.Moved _ -> MOVED;
      case QueueFact.Expired _ -> EXPIRED;
      case Fact.Woken _ -> throw new IllegalArgumentException("never kept: " + fact);
    };
  }

  static Optional<FactKind> of(byte code) {
    return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
  }
}
