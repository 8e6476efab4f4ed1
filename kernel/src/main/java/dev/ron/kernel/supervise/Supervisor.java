package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A tree of named tasks and doors, written down.
 *
 * <p>Members start from top to bottom and drain from bottom to top, so a consumer is written above
 * its producers. Writing a tree down starts nothing: {@link #start} runs it on threads, and tests
 * step through the same description in virtual time.
 *
 * <p>Threading: immutable; each method answers a new description.
 */
public final class Supervisor {
  private final String name;
  private final List<Member> members;
  private final Duration drainLimit;

  /** What a tree is made of. */
  public sealed interface Member {
    /**
     * One task; {@code make} is called for the first start and for every restart.
     *
     * @param computes keeps a core busy, and gets a platform thread, which the operating system
     *     schedules
     */
    record Child(
        String name, String kind, Restart restart, Supplier<? extends Task> make, boolean computes)
        implements Member {}

    /** Where requests come in. */
    record Entrance(String name, Door door) implements Member {}

    /** A tree inside the tree, with its own scope and its own drain limit. */
    record Branch(Supervisor supervisor, Scope scope) implements Member {}
  }

  private Supervisor(String name, List<Member> members, Duration drainLimit) {
    this.name = name;
    this.members = List.copyOf(members);
    this.drainLimit = drainLimit;
  }

  /** An empty tree that drains within 3 s. */
  public static Supervisor named(String name) {
    return new Supervisor(name, List.of(), Duration.ofSeconds(3));
  }

  public Supervisor child(String childName, Restart restart, Supplier<? extends Task> make) {
    return with(new Member.Child(childName, childName, restart, make, false));
  }

  /** A pool: {@code kind-0} to {@code kind-(count-1)}, all alike. */
  public Supervisor children(
      String kind, int count, Restart restart, Supplier<? extends Task> make) {
    return children(kind, IntStream.range(0, count).boxed().toList(), restart, _ -> make.get());
  }

  /** One task for each of {@code items}, numbered in their order. */
  public <T> Supervisor children(
      String kind, List<T> items, Restart restart, Function<? super T, ? extends Task> make) {
    Supervisor wider = this;
    for (int i = 0; i < items.size(); i++) {
      T item = items.get(i);
      wider =
          wider.with(
              new Member.Child(kind + "-" + i, kind, restart, () -> make.apply(item), false));
    }
    return wider;
  }

  /**
   * A pool whose tasks keep a core busy for long: each has a platform thread, so that virtual
   * threads find a carrier however many such tasks there are.
   */
  public Supervisor computing(
      String kind, int count, Restart restart, Supplier<? extends Task> make) {
    Supervisor wider = this;
    for (int i = 0; i < count; i++) {
      wider = wider.with(new Member.Child(kind + "-" + i, kind, restart, make, true));
    }
    return wider;
  }

  public Supervisor door(String doorName, Door door) {
    return with(new Member.Entrance(doorName, door));
  }

  public Supervisor branch(Supervisor supervisor, Scope scope) {
    return with(new Member.Branch(supervisor, scope));
  }

  /**
   * How long a drain waits for requests in flight before they are cut, and as long again for tasks
   * before they are interrupted.
   */
  public Supervisor drainWithin(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("drain limit of " + name + " = " + limit);
    }
    return new Supervisor(name, members, limit);
  }

  /** Starts every member in order, on threads; throws if a door cannot open, with nothing left. */
  public Tree start(Scope scope) throws Exception {
    return Tree.start(this, scope, name);
  }

  public String name() {
    return name;
  }

  public List<Member> members() {
    return members;
  }

  public Duration drainLimit() {
    return drainLimit;
  }

  private Supervisor with(Member member) {
    var longer = new ArrayList<>(members);
    longer.add(member);
    return new Supervisor(name, longer, drainLimit);
  }
}
