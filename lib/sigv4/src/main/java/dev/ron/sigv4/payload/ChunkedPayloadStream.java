package dev.ron.sigv4.payload;

import dev.ron.sigv4.SignatureFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * A body out of its chunks, as a stream.
 *
 * <p>It ends only if everything fits, and otherwise throws {@link PayloadFailure}; what was read
 * until then must not be kept, see {@link ChunkedPayload}.
 *
 * <p>Threading: owned by the thread that reads the body.
 */
public final class ChunkedPayloadStream extends InputStream {
  private static final int WIRE_BYTES = 16 * 1024;

  private final InputStream source;
  private final ChunkedPayload payload;
  private final ByteBuffer wire = ByteBuffer.allocate(WIRE_BYTES).limit(0);
  private boolean sourceEnded;

  public ChunkedPayloadStream(InputStream source, ChunkedPayload payload) {
    this.source = source;
    this.payload = payload;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    ByteBuffer plain = ByteBuffer.wrap(bytes, offset, length);
    int before = plain.position();
    while (true) {
      refuse(payload.decode(wire, plain));
      if (plain.position() > before) {
        return plain.position() - before;
      }
      // Past the last chunk too: that nothing follows it is part of what was announced.
      if (!wire.hasRemaining() && !fill()) {
        refuse(payload.end());
        return -1;
      }
    }
  }

  /** The fields after the last chunk, once the stream has ended. */
  public Map<String, String> trailers() {
    return payload.trailers();
  }

  private boolean fill() throws IOException {
    if (!sourceEnded) {
      int count = source.read(wire.array());
      sourceEnded = count < 0;
      wire.position(0).limit(Math.max(count, 0));
    }
    return !sourceEnded;
  }

  private static void refuse(Optional<SignatureFault> fault) throws PayloadFailure {
    if (fault.isPresent()) {
      throw new PayloadFailure(fault.get());
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
