package dev.ron.bench.compute;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Intel's ISA-L, called in this process: the parity of one stripe with its own Cauchy matrix.
 *
 * <p>Tables are made and buffers are named once, as its manual advises, so a call is nothing but
 * the encoding.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
@SuppressWarnings("restricted") // calling into a native library is what this class is for
final class IsalEncoder {
  /** The library expands each coefficient into this many bytes of tables. */
  private static final int TABLE_BYTES = 32;

  private final int dataShards;
  private final int parityShards;
  private final int bytes;
  private final MethodHandle encodeData;
  private final MemorySegment tables;
  private final MemorySegment data;
  private final MemorySegment parity;

  /**
   * Loads the library.
   *
   * @param arena holds what is allocated here
   * @param shards outside the heap, all of one size, data first; parity is written into the others
   */
  IsalEncoder(Peer isal, int dataShards, MemorySegment[] shards, Arena arena) {
    this.dataShards = dataShards;
    this.parityShards = shards.length - dataShards;
    this.bytes = Math.toIntExact(shards[0].byteSize());
    SymbolLookup library = SymbolLookup.libraryLookup(Path.of(isal.command()), Arena.global());
    this.encodeData =
        handle(library, "ec_encode_data", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    this.tables = arena.allocate((long) TABLE_BYTES * dataShards * parityShards, 64);
    MemorySegment matrix = arena.allocate((long) shards.length * dataShards);
    MethodHandle cauchy = handle(library, "gf_gen_cauchy1_matrix", ADDRESS, JAVA_INT, JAVA_INT);
    MethodHandle initTables =
        handle(library, "ec_init_tables", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    MemorySegment parityRows = matrix.asSlice((long) dataShards * dataShards);
    call(
        () -> {
          cauchy.invokeExact(matrix, shards.length, dataShards);
          initTables.invokeExact(dataShards, parityShards, parityRows, tables);
        });
    this.data = pointers(shards, 0, dataShards, arena);
    this.parity = pointers(shards, dataShards, parityShards, arena);
  }

  static Peer find(SearchPath searchPath) {
    return Peer.findLibrary(searchPath, "isa-l", "libisal.so.2", "libisal2");
  }

  void encode() {
    call(
        () -> {
          encodeData.invokeExact(bytes, dataShards, parityShards, tables, data, parity);
        });
  }

  private static MemorySegment pointers(MemorySegment[] shards, int first, int count, Arena arena) {
    MemorySegment pointers = arena.allocate(ADDRESS, count);
    for (int i = 0; i < count; i++) {
      pointers.setAtIndex(ADDRESS, i, shards[first + i]);
    }
    return pointers;
  }

  private static MethodHandle handle(SymbolLookup library, String name, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), FunctionDescriptor.ofVoid(arguments));
  }

  private interface Call {
    /** A method handle's call declares it, whatever the callee can throw. */
    void run() throws Throwable;
  }

  private static void call(Call call) {
    try {
      call.run();
    } catch (Throwable e) {
      throw new IllegalStateException("a call into C does not throw", e);
    }
  }
}
