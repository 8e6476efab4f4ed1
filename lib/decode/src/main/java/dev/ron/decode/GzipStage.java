package dev.ron.decode;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * gzip: one member or several in a row, each with its checksum and length verified. What follows a
 * member and is not one is refused, zero padding too, since HTTP has no tape blocks to fill.
 *
 * <p>Threading: owned by its {@link Decoder}.
 */
final class GzipStage implements DecodeStage {
  private enum Part {
    HEAD,
    BODY,
    TRAILER
  }

  private final Inflater inflater = new Inflater(true);
  private final CRC32 check = new CRC32();
  private GzipHead head = new GzipHead();
  private Part part = Part.HEAD;
  private boolean complete;
  private long trailer;
  private int trailerBytes;

  @Override
  public Flow pump(ByteBuffer in, ByteBuffer out) {
    while (true) {
      switch (part) {
        case HEAD -> {
          Flow flow = head.read(in);
          if (flow == Flow.BROKEN) {
            return complete ? Flow.TRAILING : Flow.BROKEN;
          }
          if (flow == Flow.HUNGRY) {
            return complete && !head.started() ? Flow.DONE : Flow.HUNGRY;
          }
          part = Part.BODY;
        }
        case BODY -> {
          Flow flow = body(in, out);
          if (flow != Flow.DONE) {
            return flow;
          }
          part = Part.TRAILER;
        }
        case TRAILER -> {
          while (trailerBytes < 8) {
            if (!in.hasRemaining()) {
              return Flow.HUNGRY;
            }
            trailer |= (in.get() & 0xffL) << (8 * trailerBytes++);
          }
          long expected = check.getValue() | (inflater.getBytesWritten() << 32);
          if (trailer != expected) {
            return Flow.BROKEN;
          }
          nextMember();
        }
      }
    }
  }

  private void nextMember() {
    complete = true;
    part = Part.HEAD;
    head = new GzipHead();
    inflater.reset();
    check.reset();
    trailer = 0;
    trailerBytes = 0;
  }

  private Flow body(ByteBuffer in, ByteBuffer out) {
    int start = out.position();
    try {
      Flow flow = inflate(inflater, in, out);
      check.update(out.duplicate().limit(out.position()).position(start));
      return flow;
    } catch (DataFormatException _) {
      return Flow.BROKEN;
    }
  }

  /** Shared with {@link DeflateStage}: one raw or zlib stream; DONE when it is over. */
  static Flow inflate(Inflater inflater, ByteBuffer in, ByteBuffer out) throws DataFormatException {
    inflater.setInput(in);
    while (!inflater.finished()) {
      if (inflater.needsDictionary()) {
        return Flow.BROKEN;
      }
      int before = in.position();
      int bytes = inflater.inflate(out);
      if (bytes == 0 && in.position() == before && !inflater.finished()) {
        return out.hasRemaining() ? (in.hasRemaining() ? Flow.BROKEN : Flow.HUNGRY) : Flow.FULL;
      }
    }
    return Flow.DONE;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
