package dev.ron.decode;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/**
 * zstd: one frame or several in a row, skippable ones too (RFC 8878 section 3.1).
 *
 * <p>Threading: owned by its {@link Decoder}.
 */
final class ZstdStage implements DecodeStage {
  /** The library reads arrays and direct memory; anything else goes through a copy of this size. */
  private static final int COPY_BYTES = 8 * 1024;

  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private boolean complete;

  /** Output may be held back; only then is there a reason to call without input. */
  private boolean held;

  ZstdStage(int windowBytesMax) {
    context.setLongMax(Integer.SIZE - 1 - Integer.numberOfLeadingZeros(windowBytesMax));
  }

  @Override
  public Flow pump(ByteBuffer in, ByteBuffer out) {
    try {
      while (true) {
        // The library takes repeated calls that bring it nothing for an endless loop, and fails.
        if (!in.hasRemaining() && !held) {
          return complete ? Flow.DONE : Flow.HUNGRY;
        }
        int inBefore = in.position();
        int outBefore = out.position();
        complete = decompress(out, in);
        held = !complete && !out.hasRemaining();
        if (held || (complete && in.hasRemaining() && !out.hasRemaining())) {
          return Flow.FULL;
        }
        boolean stuck = in.position() == inBefore && out.position() == outBefore;
        if (stuck && !complete && in.hasRemaining()) {
          return Flow.BROKEN;
        }
      }
    } catch (ZstdException e) {
      return -e.getErrorCode() == Zstd.errFrameParameterWindowTooLarge()
          ? Flow.WINDOW
          : Flow.BROKEN;
    }
  }

  private boolean decompress(ByteBuffer out, ByteBuffer in) {
    if (in.isDirect() || in.hasArray()) {
      return context.decompressByteBufferStream(out, in);
    }
    var copy = ByteBuffer.allocate(Math.min(COPY_BYTES, in.remaining()));
    copy.put(0, in, in.position(), copy.remaining());
    boolean over = context.decompressByteBufferStream(out, copy);
    in.position(in.position() + copy.position());
    return over;
  }

  @Override
  public void close() {
    context.close();
  }
}
