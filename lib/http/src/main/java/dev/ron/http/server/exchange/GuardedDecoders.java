package dev.ron.http.server.exchange;

import dev.ron.decode.DecodeFault;
import dev.ron.decode.DecodeLimits;
import dev.ron.decode.DecodeStep;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes gzip, deflate, br and zstd under the guard: a bomb ends in 413 at the first byte too
 * many.
 *
 * <p>Threading: immutable; each decoder is owned by one exchange's event loop.
 */
public record GuardedDecoders(DecodeLimits limits) implements Decoders {
  /** One step of output; with the window of the coding, all the memory a body can take. */
  private static final int STEP_BYTES = 16 * 1024;

  @Override
  public @Nullable Decoder open(String coding) {
    return switch (dev.ron.decode.Decoder.open(List.of(coding), limits)) {
      case dev.ron.decode.Decoder.Opening.Opened(var decoder) -> new Guarded(decoder);
      case dev.ron.decode.Decoder.Opening.Refused _ -> null;
    };
  }

  private static final class Guarded implements Decoder {
    private final dev.ron.decode.Decoder decoder;
    private final ByteBuffer out = ByteBuffer.allocate(STEP_BYTES);

    Guarded(dev.ron.decode.Decoder decoder) {
      this.decoder = decoder;
    }

    @Override
    public void decode(ByteBuf wire, Consumer<ByteBuf> plain) throws Refusal {
      ByteBuffer in = wire.nioBuffer();
      run(in, false, plain);
      wire.skipBytes(wire.readableBytes());
    }

    @Override
    public void end(Consumer<ByteBuf> plain) throws Refusal {
      run(ByteBuffer.allocate(0), true, plain);
    }

    private void run(ByteBuffer in, boolean last, Consumer<ByteBuf> plain) throws Refusal {
      while (true) {
        out.clear();
        switch (decoder.step(in, last, out)) {
          case DecodeStep.Produced _ -> plain.accept(Unpooled.copiedBuffer(out.flip()));
          case DecodeStep.NeedInput _, DecodeStep.End _ -> {
            return;
          }
          case DecodeStep.Refused(DecodeFault fault) -> throw Refusal.of(fault);
        }
      }
    }

    @Override
    public void close() {
      decoder.close();
    }
  }
}
