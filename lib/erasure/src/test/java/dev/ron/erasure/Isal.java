package dev.ron.erasure;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Intel's library, where it is installed: an oracle and a yardstick, never needed.
 *
 * <p>Threading: owned by one test.
 */
@SuppressWarnings("restricted") // calling into a native library is what this class is for
final class Isal {
  private static final String LIBRARY = "libisal.so.2";

  private final Arena arena = Arena.ofAuto();
  private final MethodHandle encodeData;
  private final MethodHandle initTables;
  private final MethodHandle genCauchy;

  private Isal(SymbolLookup library) {
    this.encodeData =
        handle(library, "ec_encode_data", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    this.initTables = handle(library, "ec_init_tables", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    this.genCauchy = handle(library, "gf_gen_cauchy1_matrix", ADDRESS, JAVA_INT, JAVA_INT);
  }

  static Optional<Isal> installed() {
    try {
      return Optional.of(new Isal(SymbolLookup.libraryLookup(LIBRARY, Arena.global())));
    } catch (IllegalArgumentException absent) {
      return Optional.empty();
    }
  }

  /** Its own parity rows of its own Cauchy matrix. */
  byte[] parityRows(int k, int m) {
    MemorySegment matrix = arena.allocate((long) (k + m) * k);
    call(
        () -> {
          genCauchy.invokeExact(matrix, k + m, k);
        });
    return matrix.asSlice((long) k * k).toArray(JAVA_BYTE);
  }

  /** A combination with its tables made and its buffers named, ready to run again and again. */
  Runnable prepare(
      int inputs, int outputs, byte[] coefficients, MemorySegment[] from, MemorySegment[] into) {
    MemorySegment rows = arena.allocate(coefficients.length);
    rows.copyFrom(MemorySegment.ofArray(coefficients));
    MemorySegment tables = arena.allocate(32L * inputs * outputs, 64);
    call(
        () -> {
          initTables.invokeExact(inputs, outputs, rows, tables);
        });
    MemorySegment sources = pointers(from);
    MemorySegment sinks = pointers(into);
    int bytes = Math.toIntExact(from[0].byteSize());
    return () ->
        call(
            () -> {
              encodeData.invokeExact(bytes, inputs, outputs, tables, sources, sinks);
            });
  }

  private MemorySegment pointers(MemorySegment[] segments) {
    MemorySegment pointers = arena.allocate(ADDRESS, segments.length);
    for (int i = 0; i < segments.length; i++) {
      pointers.setAtIndex(ADDRESS, i, segments[i]);
    }
    return pointers;
  }

  private static MethodHandle handle(SymbolLookup library, String name, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), FunctionDescriptor.ofVoid(arguments));
  }

  private interface Call {
    void run() throws Throwable;
  }

  private static void call(Call call) {
    try {
      call.run();
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }
}
