package dev.ron.testkit;

import dev.ron.testkit.CallHistory.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a history can be put into an order that a sequential object would have answered so, each
 * operation between its call and its answer.
 *
 * <p>The search is Wing's and Gong's: take an operation that no other ended before, step the model,
 * go on with the rest, and come back where it leads nowhere. As Lowe found, the operations done so
 * far and the state say all about what is left, so no such pair is looked at twice. Operations
 * without an answer may be left out; they are tried last, because most of them were never done.
 *
 * <p>Objects are checked one by one: a history of several objects is linearizable if each one's is.
 *
 * <p>Threading: owned by the caller.
 */
public final class LinearizabilityCheck<S, I, O> {
  /** What came of it. */
  public sealed interface Verdict<I, O> {
    /**
     * @param order one in which a sequential object would have answered so
     */
    record Linearizable<I, O>(List<Operation<I, O>> order) implements Verdict<I, O> {}

    /**
     * There is no such order.
     *
     * @param longest the longest beginning of one
     * @param stuck what could have come next, and fits nowhere
     */
    record Violation<I, O>(List<Operation<I, O>> longest, List<Operation<I, O>> stuck)
        implements Verdict<I, O> {
      @Override
      public String toString() {
        var text = new StringBuilder("no order answers so; the longest beginning of one:");
        longest.forEach(each -> text.append("\n  ").append(each));
        text.append("\nand none of these can follow:");
        stuck.forEach(each -> text.append("\n  ").append(each));
        return text.toString();
      }
    }

    /** The search was given up; nothing is known. */
    record Undecided<I, O>(long steps) implements Verdict<I, O> {}
  }

  /** Operations done so far, and the state they lead to. */
  private record Reached<S>(BitSet done, S state) {}

  /** A choice that can be taken back: the operation done, and the state before it. */
  private record Taken<S>(int operation, S before) {}

  private final SequentialModel<S, I, O> model;
  private final List<Operation<I, O>> operations;
  private final long stepsMax;
  private final BitSet done = new BitSet();
  private final Deque<Taken<S>> path = new ArrayDeque<>();
  private final Set<Reached<S>> seen = new HashSet<>();
  private List<Operation<I, O>> longest = List.of();
  private List<Operation<I, O>> stuck = List.of();

  private LinearizabilityCheck(
      SequentialModel<S, I, O> model, List<Operation<I, O>> history, long stepsMax) {
    this.model = model;
    this.stepsMax = stepsMax;
    // Answered ones first, so that open ones are tried only where nothing else goes on.
    var sorted = new ArrayList<>(history);
    sorted.sort(
        Comparator.<Operation<I, O>, Boolean>comparing(each -> each.answer().isEmpty())
            .thenComparingLong(Operation::called));
    operations = List.copyOf(sorted);
  }

  /**
   * @param stepsMax how many steps of the model the search may take
   */
  public static <S, I, O> Verdict<I, O> of(
      SequentialModel<S, I, O> model, List<Operation<I, O>> history, long stepsMax) {
    return new LinearizabilityCheck<>(model, history, stepsMax).search();
  }

  private Verdict<I, O> search() {
    long answered = operations.stream().filter(each -> each.answer().isPresent()).count();
    S state = model.initial();
    stuck = operations;
    int next = 0;
    for (long steps = 0; steps < stepsMax; steps++) {
      if (done.get(0, (int) answered).cardinality() == answered) {
        return new Verdict.Linearizable<>(order());
      }
      next = candidate(next);
      if (next < operations.size()) {
        Operation<I, O> operation = operations.get(next);
        Optional<S> after = model.after(state, operation.asked(), operation.answer());
        if (after.isPresent() && isNew(next, after.get())) {
          done.set(next);
          path.push(new Taken<>(next, state));
          state = after.get();
          noteLongest();
          next = 0;
        } else {
          next++;
        }
      } else if (path.isEmpty()) {
        return new Verdict.Violation<>(longest, stuck);
      } else {
        Taken<S> taken = path.pop();
        done.clear(taken.operation());
        state = taken.before();
        next = taken.operation() + 1;
      }
    }
    return new Verdict.Undecided<>(stepsMax);
  }

  /** The next one from there on that no operation left ended before; the size if there is none. */
  private int candidate(int from) {
    long firstEnd = firstEnd();
    for (int i = done.nextClearBit(from); i < operations.size(); i = done.nextClearBit(i + 1)) {
      if (operations.get(i).called() < firstEnd) {
        return i;
      }
    }
    return operations.size();
  }

  private long firstEnd() {
    long first = Long.MAX_VALUE;
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      Operation<I, O> left = operations.get(i);
      if (left.called() >= first || left.answer().isEmpty()) {
        // Later ones were called later still, and end later.
        break;
      }
      first = Math.min(first, left.answered());
    }
    return first;
  }

  private boolean isNew(int operation, S state) {
    var with = (BitSet) done.clone();
    with.set(operation);
    return seen.add(new Reached<>(with, state));
  }

  private void noteLongest() {
    if (path.size() > longest.size()) {
      longest = order();
      long firstEnd = firstEnd();
      stuck =
          operations.stream()
              .filter(each -> !longest.contains(each) && each.called() < firstEnd)
              .toList();
    }
  }

  private List<Operation<I, O>> order() {
    var order = new ArrayList<Operation<I, O>>();
    path.descendingIterator()
        .forEachRemaining(taken -> order.add(operations.get(taken.operation())));
    return order;
  }
}
