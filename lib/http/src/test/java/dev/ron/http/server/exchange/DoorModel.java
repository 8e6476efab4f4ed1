package dev.ron.http.server.exchange;

import dev.ron.kernel.tenant.TenantTurns;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.ToIntFunction;

/**
 * A door in virtual time: connections that ask again as soon as they are answered, two processors
 * that work in the order in which work came to them, as event loops and virtual threads do, and a
 * disk of which one flush serves all that wait for it.
 *
 * <p>A request is read, has its place and its turn, works, waits for a flush, works again, and is
 * answered; its client works too, on the same machine.
 *
 * <p>Threading: owned by the test's thread.
 */
final class DoorModel {
  private static final int PROCESSORS = 2;
  private static final int TURNS = 4;
  private static final long READ_MICROS = 40;
  private static final long WORK_MICROS = 50;
  private static final long ANSWER_MICROS = 50;
  private static final long CLIENT_MICROS = 50;
  private static final long FLUSH_MICROS = 1000;
  private static final long SWEEP_MICROS = 10_000;

  private final DoorPlaces places;
  private final TenantTurns turns;
  private final boolean knownLate;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final ArrayDeque<Job> runnable = new ArrayDeque<>();
  private final Map<String, List<Long>> times = new HashMap<>();
  private List<Runnable> unflushed = new ArrayList<>();
  private boolean flushing;
  private boolean running;
  private int busy;
  private long now;
  private long count;

  private record Event(long at, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  private record Job(long micros, Runnable then) {}

  /**
   * @param knownLate the handler finds out whose request it is, on its thread, so that it takes its
   *     turn when it runs already
   */
  DoorModel(int places, boolean knownLate, ToIntFunction<String> weights) {
    this.places = new DoorPlaces(places, weights);
    this.turns = new TenantTurns(TURNS, weights);
    this.knownLate = knownLate;
    at(SWEEP_MICROS, this::sweep);
  }

  /** A connection that rests after each answer. */
  void connect(String tenant, long restMicros) {
    work(CLIENT_MICROS, () -> ask(tenant, restMicros));
  }

  void runFor(long micros) {
    long end = now + micros;
    times.clear();
    while (events.peek().at() <= end) {
      Event next = events.remove();
      now = next.at();
      next.what().run();
    }
    now = end;
  }

  long answered(String tenant) {
    return times.getOrDefault(tenant, List.of()).size();
  }

  double share(String tenant) {
    return answered(tenant) / (double) times.values().stream().mapToLong(List::size).sum();
  }

  long p99Micros(String tenant) {
    List<Long> sorted = new ArrayList<>(times.get(tenant));
    Collections.sort(sorted);
    return sorted.get(sorted.size() * 99 / 100);
  }

  private void at(long micros, Runnable what) {
    events.add(new Event(now + micros, count++, what));
  }

  private void sweep() {
    turns.sweep();
    places.sweep();
    at(SWEEP_MICROS, this::sweep);
  }

  private void ask(String tenant, long restMicros) {
    long begun = now;
    Runnable answer =
        () -> {
          times.computeIfAbsent(tenant, _ -> new ArrayList<>()).add(now - begun);
          at(restMicros, () -> work(CLIENT_MICROS, () -> ask(tenant, restMicros)));
        };
    work(READ_MICROS, () -> enter(tenant, answer));
  }

  private void enter(String tenant, Runnable answer) {
    running = knownLate;
    places.take(
        tenant,
        place ->
            turns.take(
                tenant,
                turn ->
                    goOn(
                        () -> {
                          turn.end();
                          flush(
                              () ->
                                  work(
                                      ANSWER_MICROS,
                                      () -> {
                                        place.end();
                                        answer.run();
                                      }));
                        })));
    running = false;
  }

  /** One that runs already and need not wait is not put behind the others. */
  private void goOn(Runnable then) {
    if (running) {
      run(new Job(WORK_MICROS, then));
    } else {
      work(WORK_MICROS, then);
    }
  }

  private void work(long micros, Runnable then) {
    runnable.add(new Job(micros, then));
    dispatch();
  }

  private void dispatch() {
    while (busy < PROCESSORS && !runnable.isEmpty()) {
      run(runnable.remove());
    }
  }

  private void run(Job job) {
    busy++;
    at(
        job.micros(),
        () -> {
          busy--;
          job.then().run();
          dispatch();
        });
  }

  private void flush(Runnable then) {
    unflushed.add(then);
    if (!flushing) {
      flushing = true;
      beginFlush();
    }
  }

  private void beginFlush() {
    List<Runnable> served = unflushed;
    unflushed = new ArrayList<>();
    flushing = !served.isEmpty();
    if (flushing) {
      at(
          FLUSH_MICROS,
          () -> {
            served.forEach(Runnable::run);
            beginFlush();
          });
    }
  }
}
