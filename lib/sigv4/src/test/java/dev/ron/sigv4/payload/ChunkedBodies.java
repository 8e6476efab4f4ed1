package dev.ron.sigv4.payload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.sigv4.SignatureText;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes bodies in chunks, as clients do. */
final class ChunkedBodies {
  private ChunkedBodies() {}

  /** Without a seed the chunks are not signed; without trailers there is none. */
  static byte[] write(
      byte[] body,
      int chunkBytes,
      ChunkSignatures.@Nullable Seed seed,
      @Nullable Map<String, String> trailers) {
    var signatures = seed == null ? null : new ChunkSignatures(seed);
    var out = new ByteArrayOutputStream();
    for (int at = 0; at < body.length; at += chunkBytes) {
      chunk(out, Arrays.copyOfRange(body, at, Math.min(body.length, at + chunkBytes)), signatures);
      text(out, "\r\n");
    }
    chunk(out, new byte[0], signatures);
    if (trailers != null) {
      var signed = new StringBuilder();
      trailers.forEach(
          (name, value) -> {
            text(out, name + ":" + value + "\r\n");
            signed.append(name).append(':').append(value).append('\n');
          });
      if (signatures != null) {
        byte[] hash = SignatureText.sha256().digest(signed.toString().getBytes(US_ASCII));
        text(out, "x-amz-trailer-signature:" + signatures.trailer(hash) + "\r\n");
      }
    }
    text(out, "\r\n");
    return out.toByteArray();
  }

  private static void chunk(
      ByteArrayOutputStream out, byte[] bytes, @Nullable ChunkSignatures signatures) {
    text(out, Integer.toHexString(bytes.length));
    if (signatures != null) {
      byte[] hash = SignatureText.sha256().digest(bytes);
      text(out, ";chunk-signature=" + signatures.chunk(hash));
    }
    text(out, "\r\n");
    out.writeBytes(bytes);
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(US_ASCII));
  }
}
