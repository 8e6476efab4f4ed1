package dev.ron.rewarder.input;

import dev.ron.decode.DecodeFault;
import dev.ron.decode.DecodeLimits;
import dev.ron.decode.DecodeStep;
import dev.ron.decode.Decoder;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Decodes gzip or zstd, under a guard: a limit on all decoded bytes, and one for each byte read.
 *
 * <p>Threading: owned by the thread that reads.
 */
final class DecodedStream extends BlockStream {
  private static final int STEP_BYTES = 64 << 10;

  private final InputStream in;
  private final Decoder decoder;
  private final ByteBuffer coded = ByteBuffer.allocate(STEP_BYTES).limit(0);
  private boolean last;

  DecodedStream(InputStream in, String coding, DecodeLimits limits) throws IOException {
    this.in = in;
    this.decoder =
        switch (Decoder.open(List.of(coding), limits)) {
          case Decoder.Opening.Opened(Decoder opened) -> opened;
          case Decoder.Opening.Refused(DecodeFault fault) ->
              throw RewarderFaultException.badInput(fault.detail());
        };
  }

  @Override
  protected int block(byte[] into, int offset, int length) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(into, offset, length);
    while (true) {
      switch (decoder.step(coded, last, out)) {
        case DecodeStep.Produced(int count) -> {
          return count;
        }
        case DecodeStep.End _ -> {
          return -1;
        }
        case DecodeStep.Refused(DecodeFault fault) ->
            throw RewarderFaultException.badInput(fault.detail());
        case DecodeStep.NeedInput _ -> refill();
      }
    }
  }

  private void refill() throws IOException {
    coded.compact();
    int count = in.read(coded.array(), coded.position(), coded.remaining());
    last = count < 0;
    coded.position(coded.position() + Math.max(0, count)).flip();
  }

  @Override
  public void close() throws IOException {
    try (in) {
      decoder.close();
    }
  }
}
