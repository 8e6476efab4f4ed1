package dev.ron.decode;

import java.nio.ByteBuffer;

/** No coding at all; the cap still holds. Threading: owned by its {@link Decoder}. */
final class PlainStage implements DecodeStage {
  @Override
  public Flow pump(ByteBuffer in, ByteBuffer out) {
    int bytes = Math.min(in.remaining(), out.remaining());
    out.put(out.position(), in, in.position(), bytes);
    in.position(in.position() + bytes);
    out.position(out.position() + bytes);
    return in.hasRemaining() ? Flow.FULL : Flow.DONE;
  }

  @Override
  public void close() {}
}
