package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.kernel.fault.Fault;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;

/** What follows the head of an answer. */
public sealed interface Body {
  /** How long it is, -1 if only its end will tell. */
  long length();

  /** Bytes in memory; not changed after they were handed over. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every answer
  record Bytes(byte[] bytes) implements Body {
    public static final Bytes NONE = new Bytes(new byte[0]);

    @Override
    public long length() {
      return bytes.length;
    }
  }

  /** Bytes in memory and the fields that follow them, as an answer of gRPC has. */
  @SuppressWarnings("ArrayRecordComponent") // as with plain bytes
  record Trailed(byte[] bytes, Headers trailers) implements Body {
    /** Trailers need a framing that does not say the length first. */
    @Override
    public long length() {
      return -1;
    }
  }

  /**
   * Part of a file, sent by the system without passing through this process where that is possible.
   *
   * @param release called once when the part has been sent or cannot be, on the event loop or on
   *     the handler's thread: gives back whatever keeps the file open and its bytes where they are
   */
  record Region(FileChannel file, long offset, long length, Runnable release) implements Body {
    /** Who closes the file. */
    public enum After {
      /** The caller opened it for this answer alone. */
      CLOSE,
      /** The caller keeps it open for other answers. */
      KEEP
    }

    public Region {
      if (offset < 0 || length < 0) {
        throw new IllegalArgumentException("region " + offset + " + " + length);
      }
    }

    /**
     * @param after what happens to the file when the part has been sent or cannot be
     */
    public Region(FileChannel file, long offset, long length, After after) {
      this(file, offset, length, after == After.CLOSE ? () -> close(file) : () -> {});
    }

    /** A part of a file that is opened for this answer. */
    public static Region open(Path path, long offset, long length) throws IOException {
      return new Region(FileChannel.open(path), offset, length, After.CLOSE);
    }

    private static void close(FileChannel file) {
      try {
        file.close();
      } catch (IOException _) {
        // it was only read; there is nothing to lose
      }
    }

    public void letGo() {
      release.run();
    }
  }

  /**
   * Parts of files behind one another, sent as one part is.
   *
   * @param parts each with a release of its own, called when that part is out or cannot be
   */
  record Regions(List<Region> parts) implements Body {
    public Regions {
      parts = List.copyOf(parts);
    }

    @Override
    public long length() {
      return length(parts);
    }

    /** All together. */
    public static long length(List<Region> parts) {
      long length = 0;
      for (Region part : parts) {
        length = Math.addExact(length, part.length());
      }
      return length;
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

  /**
   * Not sent: an answer to HEAD, or a 304, says how long the body of its GET would be.
   *
   * <p>Saves opening what a handler knows the size of. Any other body is left out of an answer to
   * HEAD by itself, with its length said.
   */
  record Unsent(long length) implements Body {
    public Unsent {
      if (length < 0) {
        throw new IllegalArgumentException("length = " + length);
      }
    }
  }

  /**
   * A fault; becomes an answer of the door's {@link FaultFormat}, with the request's correlation
   * id.
   */
  record Refused(Fault fault) implements Body {
    @Override
    public long length() {
      return -1;
    }
  }
}
