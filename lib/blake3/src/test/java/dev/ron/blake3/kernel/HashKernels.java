package dev.ron.blake3.kernel;

import dev.ron.blake3.Loudly;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every kernel this machine has, for tests that hold for all of them. */
public final class HashKernels {
  static final List<String> NAMES = List.of("scalar", "vector4", "vector8", "vector16", "native");

  private static final List<HashKernel> HERE = find();

  private HashKernels() {}

  public static List<HashKernel> here() {
    return HERE;
  }

  private static List<HashKernel> find() {
    List<HashKernel> kernels = new ArrayList<>();
    for (String name : NAMES) {
      Optional<? extends HashKernel> found = HashKernelChoice.find(name);
      found.ifPresentOrElse(kernels::add, () -> Loudly.say("the " + name + " kernel is not here"));
    }
    return List.copyOf(kernels);
  }
}
