package dev.ron.bench.http;

import dev.ron.bench.load.ClosedLoopClient;
import dev.ron.kernel.supervise.Threads;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask as fast as they are answered, until closed; so many for each tenant.
 *
 * <p>Threading: begun and closed by one thread; each client is a virtual thread of its own.
 */
final class LoudClients implements AutoCloseable {
  private final URI server;
  private final List<String> tenants;
  private final int clients;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
  private final List<AtomicLong> counts;
  private final List<Thread> threads = new ArrayList<>();

  LoudClients(URI server, List<String> tenants, int clients) {
    this.server = server;
    this.tenants = tenants;
    this.clients = clients;
    this.counts = tenants.stream().map(_ -> new AtomicLong()).toList();
  }

  void begin() {
    for (int t = 0; t < tenants.size(); t++) {
      String tenant = tenants.get(t);
      AtomicLong count = counts.get(t);
      for (int i = 0; i < clients; i++) {
        threads.add(Threads.virtual().start("bench/" + tenant, () -> ask(tenant, count)));
      }
    }
  }

  private void ask(String tenant, AtomicLong count) {
    try (var client = new ClosedLoopClient(server, tenant)) {
      while (!stop.get()) {
        client.ask();
        count.incrementAndGet();
      }
    } catch (IOException failed) {
      failure.compareAndSet(null, failed);
    }
  }

  double[] answered() {
    return counts.stream().mapToDouble(AtomicLong::get).toArray();
  }

  void requireWell() throws IOException {
    IOException failed = failure.get();
    if (failed != null) {
      throw new IOException("a loud client was not answered well", failed);
    }
  }

  @Override
  public void close() throws IOException {
    stop.set(true);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
