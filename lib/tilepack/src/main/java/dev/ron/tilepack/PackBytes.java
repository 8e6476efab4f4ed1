package dev.ron.tilepack;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The bytes of a file as it was when it was opened.
 *
 * <p>Mapped, not read through a channel: a channel closes for all readers when one is interrupted,
 * and opening it again by name would meet whatever file has the name by then. A file that is
 * renamed away or deleted stays whole here. One that is cut short in place cannot; reading what is
 * gone is a fault, not a crash.
 *
 * <p>Threading: thread-safe; reading after {@link #close} is a fault.
 */
public final class PackBytes implements AutoCloseable {
  private final Arena arena;
  private final MemorySegment bytes;

  private PackBytes(Arena arena, MemorySegment bytes) {
    this.arena = arena;
    this.bytes = bytes;
  }

  public static PackBytes of(byte[] bytes) {
    return new PackBytes(Arena.global(), MemorySegment.ofArray(bytes).asReadOnly());
  }

  public static PackBytes map(Path file) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new PackBytes(
          arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
    } catch (IOException | RuntimeException failure) {
      arena.close();
      throw failure;
    }
  }

  public long size() {
    return bytes.byteSize();
  }

  /** Copies a part that lies within {@link #size}. */
  public byte[] read(long offset, int length) throws IOException {
    byte[] part = new byte[length];
    read(offset, part, length);
    return part;
  }

  /** Copies to the beginning of {@code to}. */
  public void read(long offset, byte[] to, int length) throws IOException {
    try {
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, to, 0, length);
    } catch (InternalError gone) {
      throw new IOException("the file was cut short while it was mounted", gone);
    } catch (IllegalStateException closed) {
      throw new IOException("the pack is closed", closed);
    }
  }

  @Override
  public void close() {
    if (bytes.isNative()) {
      arena.close();
    }
  }
}
