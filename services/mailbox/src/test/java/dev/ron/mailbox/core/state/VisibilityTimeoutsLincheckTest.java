package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table of leases, as requests from several threads see it: each of them alone, one after the
 * other.
 *
 * <p>The table itself belongs to one loop and has no lock. What is checked is therefore the table
 * and the way to it: a request goes into an inbox, a step takes it out, and there is one step at a
 * time. The last is the supervisor's promise, here a lock; the channel that is the inbox has a
 * check of its own in the kernel, here a plain queue stands for it. The same table without that way
 * is the planted bug.
 */
final class VisibilityTimeoutsLincheckTest {
  @Test
  void everyInterleavingOfRequestsLooksLikeOneAfterTheOther() {
    assertThatCode(() -> options(3).check(BehindAnInbox.class)).doesNotThrowAnyException();
  }

  @Test
  @Tag("long")
  void everyInterleavingOfManyMoreRequestsLooksLikeOneAfterTheOther() {
    assertThatCode(() -> options(100).check(BehindAnInbox.class)).doesNotThrowAnyException();
  }

  @Test
  void theCheckerFindsATableWithoutAnOwner() {
    assertThatThrownBy(() -> options(20).check(WithoutAnOwner.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private static ModelCheckingOptions options(int iterations) {
    return new ModelCheckingOptions()
        .iterations(iterations)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .minimizeFailedScenario(false);
  }

  /** What a shard does with its leases, in whole numbers. */
  static class Leases {
    private static final int BATCH = 8;

    private final VisibilityTimeouts table = new VisibilityTimeouts();
    private long receipts;

    private static Ulid id(int message) {
      return new Ulid(0, (long) message << 16);
    }

    /** The receipt, or 0 if somebody has the message. */
    int lease(int message, int until) {
      if (table.holds(id(message), null)) {
        return 0;
      }
      table.add(new Fact.Leased(id(message), new Receipt(++receipts), until));
      return (int) receipts;
    }

    /** 1 if the receipt was that of the lease, which is over then. */
    int ack(int message, int receipt) {
      if (!table.holds(id(message), new Receipt(receipt))) {
        return 0;
      }
      table.remove(id(message));
      return 1;
    }

    int extend(int message, int receipt, int until) {
      if (!table.holds(id(message), new Receipt(receipt))) {
        return 0;
      }
      table.extend(id(message), until);
      return 1;
    }

    /** How many leases had ended by then. */
    int expire(int now) {
      List<Ulid> over = table.expired(now, BATCH);
      over.forEach(table::remove);
      return over.size();
    }
  }

  /** Requests, the inbox, and steps of which there is one at a time. */
  public static class BehindAnInbox {
    private final Leases leases = new Leases();
    private final ReentrantLock step = new ReentrantLock();
    private final ArrayBlockingQueue<Request> inbox = new ArrayBlockingQueue<>(8);

    /** Answered by whoever makes the step that takes it out. */
    private static final class Request {
      private final IntSupplier work;
      private volatile int answer = -1;

      Request(IntSupplier work) {
        this.work = work;
      }
    }

    @SuppressWarnings("BlockingWhileLocked") // poll takes what is there and never waits
    private int ask(IntSupplier work) {
      var request = new Request(work);
      inbox.add(request);
      step.lock();
      try {
        for (Request each = inbox.poll(); each != null; each = inbox.poll()) {
          each.answer = each.work.getAsInt();
        }
      } finally {
        step.unlock();
      }
      return request.answer;
    }

    @Operation
    public int lease(
        @Param(gen = IntGen.class, conf = "1:2") int message,
        @Param(gen = IntGen.class, conf = "1:3") int until) {
      return ask(() -> leases.lease(message, until));
    }

    @Operation
    public int ack(
        @Param(gen = IntGen.class, conf = "1:2") int message,
        @Param(gen = IntGen.class, conf = "1:2") int receipt) {
      return ask(() -> leases.ack(message, receipt));
    }

    @Operation
    public int extend(
        @Param(gen = IntGen.class, conf = "1:2") int message,
        @Param(gen = IntGen.class, conf = "1:2") int receipt) {
      return ask(() -> leases.extend(message, receipt, 3));
    }

    @Operation
    public int expire(@Param(gen = IntGen.class, conf = "1:3") int now) {
      return ask(() -> leases.expire(now));
    }
  }

  /** Planted: requests touch the table themselves. */
  public static class WithoutAnOwner {
    private final Leases leases = new Leases();

    @Operation
    public int lease(@Param(gen = IntGen.class, conf = "1:2") int message) {
      return leases.lease(message, 1);
    }

    @Operation
    public int ack(
        @Param(gen = IntGen.class, conf = "1:2") int message,
        @Param(gen = IntGen.class, conf = "1:2") int receipt) {
      return leases.ack(message, receipt);
    }
  }
}
