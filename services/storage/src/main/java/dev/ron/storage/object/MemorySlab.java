package dev.ron.storage.object;

import dev.ron.blake3.Address;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of memory that is written once from its beginning to its end, and given back as a whole.
 *
 * <p>It is a file without a name (memfd), so that the system can send from it. No byte is written a
 * second time: what the system has queued for a client are references to these pages, and bytes
 * that came later would go out in place of those that were verified.
 *
 * <p>Threading: thread-safe but for {@link #reserve} and {@link #addresses}, which {@link
 * VerifiedMemory} guards with its lock. It is given back when the last of its users lets go.
 */
final class MemorySlab {
  private static final int CLOSE_ON_EXEC = 1;

  private final FileChannel file;
  private final Arena arena;
  private final MemorySegment bytes;
  private final Runnable gone;

  /** One for the memory itself as long as objects are found in it, and one for each user. */
  private final AtomicInteger users = new AtomicInteger(1);

  private final List<Address> addresses = new ArrayList<>();
  private long used;

  private MemorySlab(FileChannel file, Arena arena, MemorySegment bytes, Runnable gone) {
    this.file = file;
    this.arena = arena;
    this.bytes = bytes;
    this.gone = gone;
  }

  /**
   * @param gone called once when the memory was given back
   * @throws IOException if this system has no such files, or the JVM may not call it
   */
  static MemorySlab open(long size, Runnable gone) throws IOException {
    FileChannel file = anonymousFile();
    Arena arena = Arena.ofShared();
    boolean done = false;
    try {
      MemorySegment bytes = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
      done = true;
      return new MemorySlab(file, arena, bytes, gone);
    } finally {
      if (!done) {
        arena.close();
        file.close();
      }
    }
  }

  @SuppressWarnings("restricted") // asks isNativeAccessEnabled first
  private static FileChannel anonymousFile() throws IOException {
    if (!MemorySlab.class.getModule().isNativeAccessEnabled()) {
      throw new IOException("the JVM was started without --enable-native-access");
    }
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      int descriptor =
          (int)
              function(linker, "memfd_create", ValueLayout.ADDRESS, ValueLayout.JAVA_INT)
                  .invoke(arena.allocateFrom("ron-verified"), CLOSE_ON_EXEC);
      if (descriptor < 0) {
        throw new IOException("the system has no file without a name for us");
      }
      try {
        return FileChannel.open(
            Path.of("/proc/self/fd/" + descriptor),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
      } finally {
        int _ = (int) function(linker, "close", ValueLayout.JAVA_INT).invoke(descriptor);
      }
    } catch (IOException | RuntimeException e) {
      throw e instanceof IOException known ? known : new IOException(e);
    } catch (Throwable e) {
      throw new IOException("memory without a name cannot be had", e);
    }
  }

  @SuppressWarnings("restricted") // as above
  private static MethodHandle function(Linker linker, String name, MemoryLayout... arguments)
      throws IOException {
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(() -> new IOException("no " + name)),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }

  FileChannel file() {
    return file;
  }

  /** Where so many bytes can be written, or negative if they do not fit. */
  long reserve(int length) {
    if (length > bytes.byteSize() - used) {
      return -1;
    }
    long at = used;
    used += length;
    return at;
  }

  /** What is found in it. */
  List<Address> addresses() {
    return addresses;
  }

  MemorySegment slice(long position, long length) {
    return bytes.asSlice(position, length);
  }

  /** False if it was given back already. */
  boolean use() {
    int now = users.get();
    while (now > 0) {
      if (users.compareAndSet(now, now + 1)) {
        return true;
      }
      now = users.get();
    }
    return false;
  }

  void letGo() {
    if (users.decrementAndGet() == 0) {
      arena.close();
      try {
        file.close();
      } catch (IOException _) {
        // it was memory; there is nothing to lose
      }
      gone.run();
    }
  }
}
