package dev.ron.simulator.storage;

import dev.ron.kernel.time.Deadline;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Network;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import dev.ron.storage.cluster.node.PeerMessages;
import dev.ron.storage.cluster.node.PeerWire;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The ways between machines, over the simulated network: a request is a thread on the machine that
 * is asked, which hears it if the one that asks gives up.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class NodeWires {
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);
  private static final String LENGTH = "length=";

  private final Simulation simulation;
  private final Scheduler scheduler;
  private final Network network;
  private final RepairMeter meter = new RepairMeter();
  private final Map<String, BootedService<StorageMachine>> machines = new TreeMap<>();

  NodeWires(Simulation simulation) {
    this.simulation = simulation;
    this.scheduler = simulation.scheduler();
    this.network = simulation.network();
  }

  void add(BootedService<StorageMachine> service) {
    machines.put(url(service.machine().name()), service);
  }

  static String url(String machine) {
    return "http://127.0.0.1:" + (1 + machine.charAt(0) - 'a');
  }

  /** For one boot of a machine. */
  PeerWire.Wires from(Machine machine) {
    return new PeerWire.Wires() {
      @Override
      public PeerWire to(String url) {
        BootedService<StorageMachine> other = Objects.requireNonNull(machines.get(url), url);
        return simulation
            .seams()
            .wire(machine.name(), other.machine().name(), new Wire(machine, other, url));
      }

      @Override
      public void close() {}
    };
  }

  /** From one machine to another. */
  private final class Wire implements PeerWire {
    private final Machine from;
    private final BootedService<StorageMachine> to;
    private final String url;

    private Wire(Machine from, BootedService<StorageMachine> to, String url) {
      this.from = from;
      this.to = to;
      this.url = url;
    }

    @Override
    public String base() {
      return url;
    }

    @Override
    public Reply send(String method, String path, InputStream body, long sizeBytes, Deadline until)
        throws IOException, InterruptedException {
      return send(method, path, body.readAllBytes(), until);
    }

    @Override
    public Reply send(String method, String path, byte[] body, Deadline until)
        throws IOException, InterruptedException {
      Duration limit = until.remaining(scheduler.now());
      if (!limit.isPositive()) {
        throw new IOException("too late to ask " + to.machine().name());
      }
      Instant asked = scheduler.now();
      var work = new AtomicReference<@Nullable Thread>();
      CompletableFuture<Reply> answer =
          network.call(from, to.machine(), limit, () -> begin(method, path, body, work));
      boolean answered = false;
      try {
        Reply reply = answer.get();
        answered = true;
        if (path.endsWith(PeerMessages.FOR_REPAIR) && reply.status() == 200) {
          meter.moved(from.name(), asked, length(path));
        }
        return reply;
      } catch (ExecutionException failed) {
        throw new IOException(failed.getCause());
      } finally {
        if (!answered) {
          giveUp(work);
        }
      }
    }

    private CompletableFuture<Reply> begin(
        String method, String path, byte[] body, AtomicReference<@Nullable Thread> work) {
      var done = new CompletableFuture<Reply>();
      StorageMachine at = to.running().orElse(null);
      if (at == null) {
        done.completeExceptionally(new IOException(to.machine().name() + " takes no request"));
        return done;
      }
      work.set(to.machine().threads().start("peer", () -> answer(at, method, path, body, done)));
      return done;
    }

    private static void answer(
        StorageMachine at, String method, String path, byte[] body, CompletableFuture<Reply> done) {
      try {
        done.complete(
            Deadline.in(ANSWERED_WITHIN, at.scope().time())
                .call(() -> at.kept().peers().answer(method, path, body)));
      } catch (InterruptedException _) {
        done.completeExceptionally(new IOException("given up"));
      } catch (Exception bug) {
        throw new Violation("a machine answers another", bug);
      }
    }

    /** As a connection that is closed: the thread that works for it is interrupted. */
    private void giveUp(AtomicReference<@Nullable Thread> work) {
      network.send(
          from,
          to.machine(),
          () -> {
            Thread working = work.get();
            if (working != null) {
              working.interrupt();
            }
          });
    }
  }

  private static long length(String path) {
    int from = path.indexOf(LENGTH) + LENGTH.length();
    return Long.parseLong(path.substring(from, path.indexOf('&', from)));
  }
}
