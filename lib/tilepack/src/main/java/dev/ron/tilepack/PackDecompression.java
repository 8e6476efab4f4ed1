package dev.ron.tilepack;

import dev.ron.decode.DecodeFault;
import dev.ron.decode.DecodeLimits;
import dev.ron.decode.DecodeStep;
import dev.ron.decode.Decoder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Takes compression off bytes of a pack under the decode guard.
 *
 * <p>Threading: stateless.
 */
public final class PackDecompression {
  private static final int STEP_BYTES = 16 * 1024;

  private PackDecompression() {}

  /** Plain bytes, or why there are none. */
  public sealed interface Unpacked {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Plain(byte[] bytes) implements Unpacked {}

    record Refused(DecodeFault fault) implements Unpacked {}
  }

  public static Unpacked unpack(Compression compression, byte[] stored, DecodeLimits limits) {
    return switch (Decoder.open(List.of(compression.coding()), limits)) {
      case Decoder.Opening.Refused(DecodeFault fault) -> new Unpacked.Refused(fault);
      case Decoder.Opening.Opened(Decoder decoder) -> {
        try (decoder) {
          yield unpack(decoder, stored);
        }
      }
    };
  }

  private static Unpacked unpack(Decoder decoder, byte[] stored) {
    ByteBuffer in = ByteBuffer.wrap(stored);
    ByteBuffer step = ByteBuffer.allocate(STEP_BYTES);
    var plain = new ByteArrayOutputStream(Math.min(stored.length * 4, 1 << 20));
    while (true) {
      switch (decoder.step(in, true, step)) {
        case DecodeStep.Produced _ -> {
          plain.write(step.array(), 0, step.position());
          step.clear();
        }
        case DecodeStep.End _, DecodeStep.NeedInput _ -> {
          return new Unpacked.Plain(plain.toByteArray());
        }
        case DecodeStep.Refused(DecodeFault fault) -> {
          return new Unpacked.Refused(fault);
        }
      }
    }
  }

  /** The same inside a pack, where a refusal is the pack's fault. */
  static byte[] unpackOrRefuse(
      Compression compression, byte[] stored, DecodeLimits limits, String what) throws PackRefusal {
    return switch (unpack(compression, stored, limits)) {
      case Unpacked.Plain(byte[] bytes) -> bytes;
      case Unpacked.Refused(DecodeFault fault) ->
          throw new PackRefusal(
              new PackFault.BadCompression(
                  "%s, %s: %s".formatted(what, compression.coding(), fault.detail())));
    };
  }
}
