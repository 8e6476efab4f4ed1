package dev.ron.erasure;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector widths of this machine. Apart from {@link KernelChoice}, so that nothing there names
 * the incubating module before it is known to be present.
 *
 * <p>Threading: immutable.
 */
final class VectorWidth {
  private VectorWidth() {}

  /** Wider vectors than this run, but in software. */
  static int bitsMax() {
    return Math.min(512, ByteVector.SPECIES_PREFERRED.vectorBitSize());
  }

  static VectorSpecies<Byte> species(int bits) {
    return switch (bits) {
      case 128 -> ByteVector.SPECIES_128;
      case 256 -> ByteVector.SPECIES_256;
      case 512 -> ByteVector.SPECIES_512;
      default -> throw new IllegalArgumentException("no byte vectors of " + bits + " bits");
    };
  }
}
