package dev.ron.blake3.kernel;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Mode;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The C library, where one is installed.
 *
 * <p>Its public functions only give root hashes, but the hasher they work on is a public struct: we
 * set its key, flags and chunk counter, let it hash one aligned subtree, and find both halves on
 * its stack of chaining values. The offsets are those of blake3.h since 1.0; the self-test finds
 * out if they ever change. Single chunks and parents, of which it has no public functions, go to a
 * kernel in Java.
 *
 * <p>Threading: immutable.
 */
final class NativeHashKernel implements HashKernel {
  /** Names a library file, for machines where it is not on the loader's path. */
  static final String LIBRARY_PROPERTY = "ron.blake3.library";

  private static final List<String> NAMES = List.of("libblake3.so.0", "libblake3.so");

  // struct blake3_hasher, in bytes
  private static final int KEY = 0;
  private static final int CHUNK_VALUE = 32;
  private static final int CHUNK_COUNTER = 64;
  private static final int CHUNK_FLAGS = 138;
  private static final int STACK_SIZE = 144;
  private static final int STACK = 145;
  private static final int STRUCT_LONGS = 256;

  private final MethodHandle update;
  private final HashKernel rest;

  private NativeHashKernel(MethodHandle update, HashKernel rest) {
    this.update = update;
    this.rest = rest;
  }

  /** The same library, with this kernel for what the library has no function for. */
  NativeHashKernel withRest(HashKernel rest) {
    return new NativeHashKernel(update, rest);
  }

  /** Empty if there is no library, or the JVM was not given native access. */
  @SuppressWarnings("restricted") // asks isNativeAccessEnabled first
  static Optional<NativeHashKernel> find() {
    if (!NativeHashKernel.class.getModule().isNativeAccessEnabled()) {
      return Optional.empty();
    }
    String given = System.getProperty(LIBRARY_PROPERTY);
    for (String name : given == null ? NAMES : List.of(given)) {
      try {
        SymbolLookup library = SymbolLookup.libraryLookup(name, Arena.global());
        Optional<MemorySegment> function = library.find("blake3_hasher_update");
        if (function.isPresent()) {
          return Optional.of(new NativeHashKernel(link(function.get()), ScalarHashKernel.INSTANCE));
        }
      } catch (IllegalArgumentException _) {
        // No such library: it is never required.
      }
    }
    return Optional.empty();
  }

  @SuppressWarnings("restricted") // guarded by isNativeAccessEnabled
  private static MethodHandle link(MemorySegment function) {
    var signature =
        FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    // Critical, so that arrays are read in place: a call lasts as long as 1 MiB takes, 0.2 ms.
    return Linker.nativeLinker().downcallHandle(function, signature, Linker.Option.critical(true));
  }

  @Override
  public String name() {
    return "native";
  }

  @Override
  public void chunks(
      byte[] in, int at, int count, Mode mode, long first, byte[] out, int outAt, Scratch scratch) {
    rest.chunks(in, at, count, mode, first, out, outAt, scratch);
  }

  @Override
  public void parents(
      byte[] in, int at, int count, Mode mode, byte[] out, int outAt, Scratch scratch) {
    rest.parents(in, at, count, mode, out, outAt, scratch);
  }

  @Override
  public void halves(byte[] in, int at, int count, Mode mode, long first, Scratch scratch) {
    long[] struct = scratch.struct(STRUCT_LONGS);
    Arrays.fill(struct, 0);
    MemorySegment hasher = MemorySegment.ofArray(struct);
    for (int i = 0; i < CompressionFunction.CV_WORDS; i++) {
      hasher.set(ValueLayout.JAVA_INT_UNALIGNED, KEY + i * 4L, mode.key()[i]);
      hasher.set(ValueLayout.JAVA_INT_UNALIGNED, CHUNK_VALUE + i * 4L, mode.key()[i]);
    }
    hasher.set(ValueLayout.JAVA_LONG_UNALIGNED, CHUNK_COUNTER, first);
    hasher.set(ValueLayout.JAVA_BYTE, CHUNK_FLAGS, (byte) mode.flags());
    long length = (long) count * HashTree.CHUNK_BYTES;
    update(hasher, MemorySegment.ofArray(in).asSlice(at, length), length);
    if (hasher.get(ValueLayout.JAVA_BYTE, STACK_SIZE) != 2) {
      throw new IllegalStateException("the C library's hasher does not look as expected");
    }
    MemorySegment halves = MemorySegment.ofArray(scratch.values);
    MemorySegment.copy(hasher, STACK, halves, 0, 2L * Hash.BYTES);
  }

  private void update(MemorySegment hasher, MemorySegment in, long length) {
    try {
      update.invokeExact(hasher, in, length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a C function threw", e);
    }
  }
}
