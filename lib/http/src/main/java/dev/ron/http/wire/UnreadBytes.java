package dev.ron.http.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Bytes a connection has received and not used yet.
 *
 * <p>Threading: owned by its connection's event loop.
 */
public final class UnreadBytes {
  private @Nullable ByteBuf bytes;

  /** Takes over the buffer. */
  public void add(ByteBufAllocator alloc, ByteBuf more) {
    ByteBuf have = bytes;
    if (have == null || !have.isReadable()) {
      drop();
      bytes = more;
      return;
    }
    try {
      // A piece of a body that is still held elsewhere shares this memory: then it must not move.
      if (have.refCnt() > 1 || have.maxFastWritableBytes() < more.readableBytes()) {
        ByteBuf wider =
            alloc.buffer(Math.max(1024, 2 * (have.readableBytes() + more.readableBytes())));
        wider.writeBytes(have);
        have.release();
        bytes = wider;
        have = wider;
      }
      have.writeBytes(more);
    } finally {
      more.release();
    }
  }

  public @Nullable ByteBuf bytes() {
    return bytes;
  }

  public boolean hasBytes() {
    return bytes != null && bytes.isReadable();
  }

  /**
   * Skips one empty line before a request, which old clients send after a body.
   *
   * @return false if only its first half is there
   */
  public boolean skipEmptyLine(boolean allowed) {
    ByteBuf have = bytes;
    if (!allowed
        || have == null
        || !have.isReadable()
        || have.getByte(have.readerIndex()) != '\r') {
      return true;
    }
    if (have.readableBytes() == 1) {
      return false;
    }
    if (have.getByte(have.readerIndex() + 1) == '\n') {
      have.skipBytes(2);
    }
    return true;
  }

  public void dropIfRead() {
    if (bytes != null && !bytes.isReadable()) {
      drop();
    }
  }

  public void drop() {
    if (bytes != null) {
      bytes.release();
      bytes = null;
    }
  }

  /** Hands over what is left. */
  public @Nullable ByteBuf take() {
    ByteBuf have = bytes;
    bytes = null;
    return have;
  }
}
