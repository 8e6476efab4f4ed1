package dev.ron.tidy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A layer of the project, in the order in which dependencies may point: upwards in this list. */
enum Layer {
  KERNEL("kernel"),
  LIB("lib"),
  SERVICES("services"),
  NODE("node"),
  BENCH("bench"),
  EXTRAS("extras"),
  TESTING("testing"),
  CHECKS("checks"),
  MODELS("models");

  private final String folder;

  Layer(String folder) {
    this.folder = folder;
  }

  /** The layer of a module, by the first step of its folder. */
  static Optional<Layer> of(String module) {
    return Arrays.stream(values())
        .filter(layer -> module.equals(layer.folder) || module.startsWith(layer.folder + "/"))
        .findFirst();
  }

  /** Whether main code here may use main code there, in another module. */
  boolean mayUse(Layer other) {
    return switch (this) {
      case KERNEL, CHECKS, MODELS -> false;
      case LIB, SERVICES -> List.of(LIB, KERNEL).contains(other);
      case NODE, BENCH, EXTRAS -> List.of(SERVICES, LIB, KERNEL).contains(other);
      case TESTING -> List.of(TESTING, SERVICES, LIB, KERNEL).contains(other);
    };
  }

  /**
   * Whether a module stands beside a service: it on several machines, or by another protocol, or by
   * that protocol on several machines.
   */
  static boolean isBeside(String module, String other) {
    return module.startsWith(SERVICES.folder + "/")
        && (module.equals(other + "-cluster")
            || module.equals(other + "-s3")
            || module.equals(other + "-sqs")
            || module.equals(other.replaceFirst("-cluster$", "") + "-s3-cluster"));
  }

  /** Whether tests here may use main code there: services still meet over HTTP alone. */
  boolean testsMayUse(Layer other) {
    return mayUse(other) || other == TESTING || (this == TESTING && other != MODELS);
  }

  @Override
  public String toString() {
    return folder;
  }
}
