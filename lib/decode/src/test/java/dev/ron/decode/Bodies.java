package dev.ron.decode;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies to decode, made by the encoders of others, and the loop that decodes one. */
final class Bodies {
  static final List<ContentCoding> CODINGS =
      List.of(ContentCoding.GZIP, ContentCoding.DEFLATE, ContentCoding.ZSTD, ContentCoding.BR);

  /** No limit that a test would meet by accident. */
  static final DecodeLimits WIDE = new DecodeLimits(Long.MAX_VALUE, Integer.MAX_VALUE, 1 << 24);

  private static final int BROTLI_WINDOW_BITS = 18;
  static final int BROTLI_WINDOW_BYTES = 1 << BROTLI_WINDOW_BITS;

  private Bodies() {}

  static byte[] encoded(ContentCoding coding, byte[] plain) {
    try {
      return switch (coding) {
        case GZIP -> gzip(plain);
        case DEFLATE -> deflate(plain, false);
        case ZSTD -> Zstd.compress(plain);
        case BR -> brotli(plain);
        case IDENTITY -> plain.clone();
      };
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] deflate(byte[] plain, boolean raw) throws IOException {
    var out = new ByteArrayOutputStream();
    var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, raw);
    try (var stream = new DeflaterOutputStream(out, deflater)) {
      stream.write(plain);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var stream = new GZIPOutputStream(out)) {
      stream.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] brotli(byte[] plain) throws IOException {
    Brotli4jLoader.ensureAvailability();
    return Encoder.compress(
        plain, new Encoder.Parameters().setQuality(5).setWindow(BROTLI_WINDOW_BITS));
  }

  static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** What came of a body: its bytes, or the code and detail of the fault. */
  static final class Outcome {
    private final byte[] bytes;
    private final String fault;

    Outcome(byte[] bytes, String fault) {
      this.bytes = bytes;
      this.fault = fault;
    }

    byte[] bytes() {
      return bytes;
    }

    /** Empty if the body ended well. */
    String fault() {
      return fault;
    }
  }

  static Outcome decode(
      String coding, byte[] body, DecodeLimits limits, int inBytes, int outBytes) {
    return switch (Decoder.open(List.of(coding), limits)) {
      case Decoder.Opening.Refused(var fault) -> new Outcome(new byte[0], shown(fault));
      case Decoder.Opening.Opened(var decoder) -> {
        try (decoder) {
          yield run(decoder, ByteBuffer.wrap(body), inBytes, new byte[outBytes]);
        }
      }
    };
  }

  private static Outcome run(Decoder decoder, ByteBuffer body, int inBytes, byte[] room) {
    var bytes = new ByteArrayOutputStream();
    ByteBuffer in = ByteBuffer.allocate(0);
    while (true) {
      switch (decoder.step(in, !body.hasRemaining(), ByteBuffer.wrap(room))) {
        case DecodeStep.Produced(int count) -> bytes.write(room, 0, count);
        case DecodeStep.NeedInput _ -> {
          int count = Math.min(inBytes, body.remaining());
          in = body.slice(body.position(), count);
          body.position(body.position() + count);
        }
        case DecodeStep.End _ -> {
          return new Outcome(bytes.toByteArray(), "");
        }
        case DecodeStep.Refused(var fault) -> {
          return new Outcome(bytes.toByteArray(), shown(fault));
        }
      }
    }
  }

  static String shown(DecodeFault fault) {
    return fault.code() + ": " + fault.detail();
  }
}
