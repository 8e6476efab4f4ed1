package dev.ron.blake3.kernel;

import dev.ron.blake3.HashTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which kernel hashes in this process.
 *
 * <p>{@code -Dron.blake3.kernel=scalar|vector4|vector8|vector16|native} decides it. Otherwise the
 * kernels that agree with plain Java race each other, a short step with each large hash, and plain
 * Java serves until there is a winner. A service calls {@link #settle()} at start and has it at
 * once.
 *
 * <p>Threading: thread-safe. The chosen kernel is a volatile that is written once, under {@code
 * LOCK}, which also guards the race. A hash never waits for the lock: without it, it runs in plain
 * Java.
 */
public final class HashKernelChoice {
  /** The system property that overrides the race. */
  public static final String PROPERTY = "ron.blake3.kernel";

  /** Below this a step of the race would cost more than the hash. */
  private static final int RACE_BYTES_MIN = HashTree.GROUP_BYTES;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final List<String> NOTES = new ArrayList<>();
  private static @Nullable HashKernelRace race;
  private static volatile @Nullable HashKernel chosen;

  private HashKernelChoice() {}

  /** Decides now, which takes 1.5 s, or several on a busy machine; returns the kernel's name. */
  public static String settle() {
    LOCK.lock();
    try {
      HashKernel kernel = chosen;
      while (kernel == null) {
        kernel = step();
      }
      return kernel.name();
    } finally {
      LOCK.unlock();
    }
  }

  /** What was tried and measured, for the log. */
  public static List<String> notes() {
    LOCK.lock();
    try {
      return List.copyOf(NOTES);
    } finally {
      LOCK.unlock();
    }
  }

  /** The kernel for a hash of so many bytes. */
  public static HashKernel kernel(long bytes) {
    HashKernel kernel = chosen;
    if (kernel != null) {
      return kernel;
    }
    if (bytes >= RACE_BYTES_MIN && LOCK.tryLock()) {
      try {
        step();
      } finally {
        LOCK.unlock();
      }
    }
    return ScalarHashKernel.INSTANCE;
  }

  private static @Nullable HashKernel step() {
    String wanted = System.getProperty(PROPERTY);
    if (chosen == null && wanted != null) {
      chosen = named(wanted);
    }
    if (chosen == null) {
      HashKernelRace running = race;
      if (running == null) {
        running = new HashKernelRace(candidates());
        race = running;
      }
      if (running.step()) {
        NOTES.addAll(running.figures());
        race = null;
        chosen = running.winner();
      }
    }
    return chosen;
  }

  /** Kernels that work on this machine and agree with plain Java. */
  private static List<HashKernel> candidates() {
    List<HashKernel> kernels = new ArrayList<>();
    kernels.add(ScalarHashKernel.INSTANCE);
    int width = VectorHashKernel.widestLanes();
    if (width >= 4) {
      consider(find("vector" + width), kernels);
    }
    consider(find("native"), kernels);
    return kernels;
  }

  private static void consider(Optional<? extends HashKernel> found, List<HashKernel> kernels) {
    if (found.isPresent()) {
      Optional<String> disagreement = HashKernelCheck.disagreement(found.get());
      disagreement.ifPresentOrElse(
          why -> NOTES.add(found.get().name() + " " + why), () -> kernels.add(found.get()));
    }
  }

  /** The kernel of this name; fails loudly, because exactly this one was asked for. */
  static HashKernel named(String name) {
    HashKernel kernel =
        find(name)
            .orElseThrow(
                () -> new IllegalStateException(PROPERTY + "=" + name + ": not on this machine"));
    HashKernelCheck.disagreement(kernel)
        .ifPresent(
            why -> {
              throw new IllegalStateException(PROPERTY + "=" + name + ": " + why);
            });
    return kernel;
  }

  /** Empty if this machine or JVM does not have it. */
  static Optional<? extends HashKernel> find(String name) {
    return switch (name) {
      case "scalar" -> Optional.of(ScalarHashKernel.INSTANCE);
      case "vector4" -> VectorHashKernel.of(4);
      case "vector8" -> VectorHashKernel.of(8);
      case "vector16" -> VectorHashKernel.of(16);
      case "native" -> NativeHashKernel.find();
      default ->
          throw new IllegalStateException(
              PROPERTY + "=" + name + ": not one of scalar, vector4, vector8, vector16, native");
    };
  }
}
