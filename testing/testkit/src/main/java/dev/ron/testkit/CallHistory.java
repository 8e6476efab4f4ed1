package dev.ron.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Who asked what of one object, when, and what was heard: written by many threads at once.
 *
 * <p>Times are places in one order. A call takes its place before the request is sent, an answer
 * after it has come, so an operation that ended before another began is earlier here too.
 *
 * <p>Threading: thread-safe; a {@link Call} is owned by the thread that began it.
 */
public final class CallHistory<I, O> {
  private static final long NEVER = Long.MAX_VALUE;

  private final AtomicLong clock;
  private final Map<Long, Call<I, O>> calls = new ConcurrentHashMap<>();

  /** The history of an object by itself. */
  public CallHistory() {
    this(new AtomicLong());
  }

  /**
   * @param clock shared by histories whose times are compared by readers of a failure
   */
  public CallHistory(AtomicLong clock) {
    this.clock = clock;
  }

  /**
   * One operation, as it is checked.
   *
   * @param caller who asked; only told
   * @param answer empty if none was heard: it may have been done, later, or never
   * @param answered greater than every other time if no answer was heard
   */
  public record Operation<I, O>(
      String caller, I asked, Optional<O> answer, long called, long answered) {
    /** An operation whose end is unknown. */
    public static <I, O> Operation<I, O> open(String caller, I asked, long called) {
      return new Operation<>(caller, asked, Optional.empty(), called, NEVER);
    }

    @Override
    public String toString() {
      return "%s: %s -> %s [%d, %s]"
          .formatted(
              caller,
              asked,
              answer.map(Object::toString).orElse("unknown"),
              called,
              answered == NEVER ? "-" : Long.toString(answered));
    }
  }

  /** An operation under way. */
  public static final class Call<I, O> {
    private final AtomicLong clock;
    private final String caller;
    private final I asked;
    private final long called;
    private volatile @Nullable Operation<I, O> whole;

    private Call(AtomicLong clock, String caller, I asked) {
      this.clock = clock;
      this.caller = caller;
      this.asked = asked;
      this.called = clock.incrementAndGet();
    }

    public boolean isAnswered() {
      return whole != null;
    }

    /** Said once, when the answer is known; never, where it is not. */
    public void answered(O answer) {
      if (whole != null) {
        throw new IllegalStateException("answered twice: " + whole);
      }
      whole = new Operation<>(caller, asked, Optional.of(answer), called, clock.incrementAndGet());
    }
  }

  /** Before the request is sent. */
  public Call<I, O> begin(String caller, I asked) {
    var call = new Call<I, O>(clock, caller, asked);
    calls.put(call.called, call);
    return call;
  }

  /** A request that was certainly never sent is no operation. */
  public void forget(Call<I, O> call) {
    calls.remove(call.called);
  }

  /** All so far, in the order of their calls; those without an answer are open. */
  public List<Operation<I, O>> operations() {
    var all = new ArrayList<Operation<I, O>>();
    for (Call<I, O> call : calls.values()) {
      Operation<I, O> whole = call.whole;
      all.add(whole == null ? Operation.open(call.caller, call.asked, call.called) : whole);
    }
    all.sort(Comparator.comparingLong(Operation::called));
    return all;
  }
}
