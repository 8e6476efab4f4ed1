package dev.ron.decode;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * br (RFC 7932). The native decoder holds up to one window of output before it returns any, so the
 * window size is checked first: it is in the first byte.
 *
 * <p>Threading: owned by its {@link Decoder}.
 */
final class BrotliStage implements DecodeStage {
  /** Handed to the native side at a time; small, so that the input counts no faster than output. */
  private static final int CHUNK_BYTES = 4 * 1024;

  private final DecoderJNI.Wrapper decoder;
  private final int windowBytesMax;
  private boolean started;

  /**
   * Output was taken since the decoder last ran. It then asks for input whenever it has used up
   * what it got, even where it could go on without: a stream whose window was full at its last byte
   * would never end.
   */
  private boolean stalled;

  private BrotliStage(DecoderJNI.Wrapper decoder, int windowBytesMax) {
    this.decoder = decoder;
    this.windowBytesMax = windowBytesMax;
  }

  /** Empty where there is no native library for this machine. */
  static Optional<DecodeStage> open(int windowBytesMax) {
    if (!Brotli4jLoader.isAvailable()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BrotliStage(new DecoderJNI.Wrapper(CHUNK_BYTES), windowBytesMax));
    } catch (IOException e) {
      throw new IllegalStateException("no memory for a brotli decoder", e);
    }
  }

  @Override
  public Flow pump(ByteBuffer in, ByteBuffer out) {
    if (!started && in.hasRemaining()) {
      started = true;
      int bits = windowBits(in.get(in.position()) & 0xff);
      if (bits == 0) {
        return Flow.BROKEN;
      }
      if ((1 << bits) - 16 > windowBytesMax) {
        return Flow.WINDOW;
      }
    }
    while (true) {
      if (decoder.hasOutput()) {
        if (!out.hasRemaining()) {
          return Flow.FULL;
        }
        out.put(decoder.pull(out.remaining()));
        stalled = true;
        continue;
      }
      switch (decoder.getStatus()) {
        case DONE -> {
          // The native side calls bytes behind the end, within one chunk, an error like any other.
          return in.hasRemaining() ? Flow.BROKEN : Flow.DONE;
        }
        // Output that is wanted but not there is no state a sound stream leads to.
        case ERROR, NEEDS_MORE_OUTPUT -> {
          return Flow.BROKEN;
        }
        case OK -> decoder.push(0);
        case NEEDS_MORE_INPUT -> {
          if (stalled) {
            stalled = false;
            decoder.push(0);
            continue;
          }
          if (!in.hasRemaining()) {
            return Flow.HUNGRY;
          }
          int bytes = Math.min(CHUNK_BYTES, in.remaining());
          decoder.getInputBuffer().clear().put(0, in, in.position(), bytes);
          in.position(in.position() + bytes);
          decoder.push(bytes);
        }
      }
    }
  }

  /** WBITS of RFC 7932 section 9.1; 0 for the one pattern that is not allowed. */
  private static int windowBits(int first) {
    if ((first & 1) == 0) {
      return 16;
    }
    int high = (first >> 1) & 7;
    int low = (first >> 4) & 7;
    if (high != 0) {
      return 17 + high;
    }
    return switch (low) {
      case 0 -> 17;
      case 1 -> 0;
      default -> 8 + low;
    };
  }

  @Override
  public void close() {
    decoder.destroy();
  }
}
