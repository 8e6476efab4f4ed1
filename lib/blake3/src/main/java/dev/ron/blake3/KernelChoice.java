package dev.ron.blake3;

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
 * LOCK}, which also guards the race. A hash never waits for the lock: who does not get it hashes
 * with plain Java.
 */
public final class KernelChoice {
  /** The system property that overrides the race. */
  public static final String PROPERTY = "ron.blake3.kernel";

  /** Below this a step of the race would cost more than the hash. */
  private static final int RACE_BYTES_MIN = Tree.GROUP_BYTES;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final List<String> NOTES = new ArrayList<>();
  private static @Nullable KernelRace race;
  private static volatile @Nullable Kernel chosen;

  private KernelChoice() {}

  /** Decides now, which takes 1.5 s, or several on a busy machine; returns the kernel's name. */
  public static String settle() {
    LOCK.lock();
    try {
      Kernel kernel = chosen;
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
  static Kernel kernel(long bytes) {
    Kernel kernel = chosen;
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
    return ScalarKernel.INSTANCE;
  }

  private static @Nullable Kernel step() {
    String wanted = System.getProperty(PROPERTY);
    if (chosen == null && wanted != null) {
      chosen = named(wanted);
    }
    if (chosen == null) {
      KernelRace running = race;
      if (running == null) {
        running = new KernelRace(candidates());
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
  private static List<Kernel> candidates() {
    List<Kernel> kernels = new ArrayList<>();
    kernels.add(ScalarKernel.INSTANCE);
    int width = VectorKernel.widestLanes();
    if (width >= 4) {
      consider(find("vector" + width), kernels);
    }
    consider(find("native"), kernels);
    return kernels;
  }

  private static void consider(Optional<? extends Kernel> found, List<Kernel> kernels) {
    if (found.isPresent()) {
      Optional<String> disagreement = KernelCheck.disagreement(found.get());
      disagreement.ifPresentOrElse(
          why -> NOTES.add(found.get().name() + " " + why), () -> kernels.add(found.get()));
    }
  }

  /** The kernel of this name; fails loudly, because somebody asked for exactly this one. */
  static Kernel named(String name) {
    Kernel kernel =
        find(name)
            .orElseThrow(
                () -> new IllegalStateException(PROPERTY + "=" + name + ": not on this machine"));
    KernelCheck.disagreement(kernel)
        .ifPresent(
            why -> {
              throw new IllegalStateException(PROPERTY + "=" + name + ": " + why);
            });
    return kernel;
  }

  /** Empty if this machine or JVM does not have it. */
  static Optional<? extends Kernel> find(String name) {
    return switch (name) {
      case "scalar" -> Optional.of(ScalarKernel.INSTANCE);
      case "vector4" -> VectorKernel.of(4);
      case "vector8" -> VectorKernel.of(8);
      case "vector16" -> VectorKernel.of(16);
      case "native" -> NativeKernel.find();
      default ->
          throw new IllegalStateException(
              PROPERTY + "=" + name + ": not one of scalar, vector4, vector8, vector16, native");
    };
  }
}
