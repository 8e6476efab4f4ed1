package dev.ron.blake3;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every kernel this machine has, for tests that hold for all of them. */
final class Kernels {
  static final List<String> NAMES = List.of("scalar", "vector4", "vector8", "vector16", "native");

  private static final List<Kernel> HERE = find();

  private Kernels() {}

  static List<Kernel> here() {
    return HERE;
  }

  private static List<Kernel> find() {
    List<Kernel> kernels = new ArrayList<>();
    for (String name : NAMES) {
      Optional<? extends Kernel> found = KernelChoice.find(name);
      found.ifPresentOrElse(kernels::add, () -> Loudly.say("the " + name + " kernel is not here"));
    }
    return List.copyOf(kernels);
  }
}
