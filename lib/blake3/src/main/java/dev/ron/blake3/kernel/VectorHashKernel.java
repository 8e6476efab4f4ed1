package dev.ron.blake3.kernel;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Optional;

/**
 * Chunks side by side in vector lanes, widest first; what does not fill the narrowest goes to
 * {@link ScalarHashKernel}.
 *
 * <p>This class never names a type of jdk.incubator.vector, so it loads without that module.
 *
 * <p>Threading: immutable.
 */
final class VectorHashKernel implements HashKernel {
  private static final int[] WIDTHS = {16, 8, 4};

  /** Shorter inputs are likely in the cache, where fetching ahead costs 3 in 100. */
  private static final int AHEAD_CHUNKS_MIN = 256;

  private final String name;
  private final HashLanes[] lanes;

  private VectorHashKernel(String name, HashLanes[] lanes) {
    this.name = name;
    this.lanes = lanes;
  }

  /** Empty if the JVM was started without jdk.incubator.vector. */
  static Optional<VectorHashKernel> of(int width) {
    if (!present()) {
      return Optional.empty();
    }
    HashLanes[] lanes = new HashLanes[WIDTHS.length];
    int n = 0;
    for (int w : WIDTHS) {
      if (w <= width) {
        lanes[n++] = Copies.of(w);
      }
    }
    return Optional.of(new VectorHashKernel("vector" + width, Arrays.copyOf(lanes, n)));
  }

  /** The width this CPU does best, at most 16; 0 without jdk.incubator.vector. */
  static int widestLanes() {
    return present() ? Math.min(16, Copies.of(4).widestLanes()) : 0;
  }

  private static boolean present() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void chunks(
      byte[] in, int at, int count, Mode mode, long first, byte[] out, int outAt, Scratch scratch) {
    int done = 0;
    for (HashLanes wide : lanes) {
      for (; count - done >= wide.count(); done += wide.count()) {
        int from = at + done * HashTree.CHUNK_BYTES;
        int to = outAt + done * Hash.BYTES;
        boolean ahead = count > AHEAD_CHUNKS_MIN && count - done >= 2 * wide.count();
        wide.chunks(in, from, mode.key(), first + done, mode.flags(), out, to, scratch.rows, ahead);
      }
    }
    if (done < count) {
      int from = at + done * HashTree.CHUNK_BYTES;
      int to = outAt + done * Hash.BYTES;
      ScalarHashKernel.INSTANCE.chunks(
          in, from, count - done, mode, first + done, out, to, scratch);
    }
  }

  @Override
  public void parents(
      byte[] in, int at, int count, Mode mode, byte[] out, int outAt, Scratch scratch) {
    int done = 0;
    for (HashLanes wide : lanes) {
      for (; count - done >= wide.count(); done += wide.count()) {
        int from = at + done * 2 * Hash.BYTES;
        int to = outAt + done * Hash.BYTES;
        wide.parents(in, from, mode.key(), mode.flags(), out, to, scratch.rows);
      }
    }
    if (done < count) {
      int from = at + done * 2 * Hash.BYTES;
      int to = outAt + done * Hash.BYTES;
      ScalarHashKernel.INSTANCE.parents(in, from, count - done, mode, out, to, scratch);
    }
  }

  /** One hidden copy of the template per width, made on first use and shared from then on. */
  private static final class Copies {
    private static final HashLanes FOUR = define(4);
    private static final HashLanes EIGHT = define(8);
    private static final HashLanes SIXTEEN = define(16);

    static HashLanes of(int width) {
      return switch (width) {
        case 4 -> FOUR;
        case 8 -> EIGHT;
        case 16 -> SIXTEEN;
        default -> throw new IllegalArgumentException("width " + width + ", not 4, 8 or 16");
      };
    }

    private static HashLanes define(int width) {
      try (InputStream in = VectorHashKernel.class.getResourceAsStream("VectorLanes.class")) {
        if (in == null) {
          throw new IllegalStateException("VectorLanes.class is not beside VectorKernel.class");
        }
        var copy =
            MethodHandles.lookup().defineHiddenClassWithClassData(in.readAllBytes(), width, true);
        return (HashLanes) copy.lookupClass().getDeclaredConstructor().newInstance();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot define " + width + " lanes", e);
      }
    }
  }
}
