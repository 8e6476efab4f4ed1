package dev.ron.http.server;

import dev.ron.http.Headers;
import dev.ron.kernel.fault.Fault;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** What follows the head of an answer. */
public sealed interface Body {
  /** How long it is, -1 if only its end will tell. */
  long length();

  /** Bytes in memory; not changed after they were handed over. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every answer
  record Bytes(byte[] bytes) implements Body {
    static final Bytes NONE = new Bytes(new byte[0]);

    @Override
    public long length() {
      return bytes.length;
    }
  }

  /**
   * Part of a file, sent by the system without passing through this process where that is possible.
   *
   * @param after what happens to the file when the part has been sent or cannot be
   */
  record Region(FileChannel file, long offset, long length, After after) implements Body {
    /** What happens to the file afterwards; called once, on the event loop, and may not block. */
    @FunctionalInterface
    public interface After {
      /** The caller opened it for this answer alone. */
      After CLOSE = FileChannel::close;

      /** The caller keeps it open for other answers. */
      After KEEP = _ -> {};

      void letGo(FileChannel file) throws IOException;
    }

    public Region {
      if (offset < 0 || length < 0) {
        throw new IllegalArgumentException("region " + offset + " + " + length);
      }
    }

    /** A part of a file that is opened for this answer. */
    public static Region open(Path path, long offset, long length) throws IOException {
      return new Region(FileChannel.open(path), offset, length, After.CLOSE);
    }

    void letGo() {
      try {
        after.letGo(file);
      } catch (IOException _) {
        // it was only read; there is nothing to lose
      }
    }
  }

  /** Written piece by piece on the handler's virtual thread, as fast as the peer takes it. */
  record Stream(long length, Writer writer) implements Body {
    /** Writes the whole body; returning ends it. */
    @FunctionalInterface
    public interface Writer {
      /** Answers the trailers, usually none. */
      Headers writeTo(BodySink sink) throws IOException, InterruptedException;
    }
  }

  /** A fault; becomes a problem with the request's correlation id. */
  record Refused(Fault fault) implements Body {
    @Override
    public long length() {
      return -1;
    }
  }
}
