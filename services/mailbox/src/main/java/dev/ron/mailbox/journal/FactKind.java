package dev.ron.mailbox.journal;

import dev.ron.mailbox.core.message.Fact;
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
      case Fact.Returned _ -> RETURNED;
      case Fact.Acked _ -> ACKED;
      case Fact.Died _ -> DIED;
      case Fact.Revived _ -> REVIVED;
      case Fact.Dropped _ -> DROPPED;
      case Fact.Leased _ -> LEASED;
      case Fact.Extended _ -> EXTENDED;
      case Fact.Woken _ -> throw new IllegalArgumentException("never kept: " + fact);
    };
  }

  static Optional<FactKind> of(byte code) {
    return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
  }
}
