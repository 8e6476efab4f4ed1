package dev.ron.bench.tenant;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.kernel.supervise.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loud tenants in a process of their own, so that a quiet client is not measured by what its own
 * process does beside it: each tenant has so many connections that ask as fast as they are
 * answered.
 *
 * <p>It says {@code ready} when all of them were answered and its own code is compiled, then counts
 * for a while, says the counts of answers and of refusals, and goes on until it is ended. A client
 * that is still being compiled has most requests in its own hands, and then it is the client for
 * whose processors the tenants contend.
 *
 * <p>Threading: each client is a virtual thread of its own; the counters are thread-safe.
 */
public final class LoudTenantsMain {
  static final String READY = "ready";
  static final String ANSWERED = "answered";
  static final String REFUSED = "refused";

  /** Behind the counts of one client, those of the next begin. */
  private static final long CLIENT = 1L << 32;

  private static final long SETTLE_MILLIS = 3000;

  private final List<LongAdder> answered = new ArrayList<>();
  private final List<LongAdder> refused = new ArrayList<>();
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

  private LoudTenantsMain() {}

  /**
   * @param args the port, connections of each tenant, milliseconds to count, the first count, and a
   *     file with the request of each tenant
   */
  public static void main(String[] args) throws Exception {
    var loud = new LoudTenantsMain();
    int connections = Integer.parseInt(args[1]);
    var all = new CountDownLatch(connections * (args.length - 4));
    long first = Long.parseLong(args[3]);
    for (int i = 4; i < args.length; i++) {
      var request = TenantRequest.parse(Files.readString(Path.of(args[i]), ISO_8859_1));
      loud.answered.add(new LongAdder());
      loud.refused.add(new LongAdder());
      int tenant = i - 4;
      for (int c = 0; c < connections; c++) {
        var client = new TenantClient(Integer.parseInt(args[0]), request, first + c * CLIENT);
        Threads.virtual().start("loud", () -> loud.ask(client, tenant, all));
      }
    }
    all.await();
    var _ = new CountDownLatch(1).await(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
    loud.requireWell();
    System.out.println(READY);
    long[] before = loud.answered.stream().mapToLong(LongAdder::sum).toArray();
    var _ = new CountDownLatch(1).await(Long.parseLong(args[2]), TimeUnit.MILLISECONDS);
    var counts = new ArrayList<Long>();
    for (int i = 0; i < before.length; i++) {
      counts.add(loud.answered.get(i).sum() - before[i]);
    }
    loud.requireWell();
    System.out.println(REFUSED + " " + loud.refused.stream().mapToLong(LongAdder::sum).sum());
    System.out.println(
        ANSWERED + " " + counts.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    new CountDownLatch(1).await();
  }

  private void ask(TenantClient client, int tenant, CountDownLatch all) {
    boolean first = true;
    try (client) {
      while (failure.get() == null) {
        (client.ask() ? answered : refused).get(tenant).increment();
        if (first) {
          first = false;
          all.countDown();
        }
      }
    } catch (IOException failed) {
      failure.compareAndSet(null, failed);
      while (all.getCount() > 0) {
        all.countDown();
      }
    }
  }

  private void requireWell() throws IOException {
    IOException failed = failure.get();
    if (failed != null) {
      throw new IOException("a loud client was not answered well", failed);
    }
  }
}
