package dev.ron.simulator.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.Tree;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A service on a machine, from one start to the next.
 *
 * <p>Threading: owned by the scheduler's thread.
 *
 * @param <R> what a boot has for clients
 */
public final class BootedService<R> implements ClusterMachine {
  private final Machine machine;
  private final String service;
  private final Wiring<R> wiring;
  private @Nullable Thread main;
  private @Nullable Tree tree;
  private @Nullable R running;
  private @Nullable Throwable failed;

  /** Starts the service in a scope, as its process would. */
  @FunctionalInterface
  public interface Wiring<R> {
    Started<R> start(Scope scope) throws Exception;
  }

  /** A service that has started. */
  public record Started<R>(Tree tree, R running) {}

  public BootedService(Machine machine, String service, Wiring<R> wiring) {
    this.machine = machine;
    this.service = service;
    this.wiring = wiring;
  }

  @Override
  public Machine machine() {
    return machine;
  }

  /** Empty while it starts, stops or is down. */
  public Optional<R> running() {
    return machine.isUp() ? Optional.ofNullable(running) : Optional.empty();
  }

  @Override
  public boolean isRunning() {
    return running().isPresent();
  }

  @Override
  public @Nullable Throwable failed() {
    return failed;
  }

  @Override
  public String progress() {
    Thread started = main;
    return started == null ? "down" : Scheduler.place(started) + " " + failed;
  }

  @Override
  public void start() {
    failed = null;
    running = null;
    World world = machine.start();
    main = machine.threads().start("main", () -> wire(world));
  }

  private void wire(World world) {
    try {
      Started<R> started = wiring.start(Scope.of(service, world));
      tree = started.tree();
      running = started.running();
    } catch (Exception | OutOfMemoryError wrong) {
      failed = wrong;
    }
  }

  @Override
  public void drain() {
    Tree now = tree;
    if (isRunning() && now != null) {
      running = null;
      machine.threads().start("main", () -> drain(now));
    }
  }

  private void drain(Tree now) {
    try {
      now.drain();
      machine.kill();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
