package dev.ron.sigv4.payload;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignatureFault;
import dev.ron.sigv4.SignatureText;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A body whose SHA-256 was announced; it ends only if the hash fits, and otherwise throws {@link
 * PayloadFailure}.
 *
 * <p>Threading: owned by the thread that reads the body.
 */
public final class HashedPayloadStream extends InputStream {
  private final InputStream source;
  private final String announced;
  private final MessageDigest hash = SignatureText.sha256();
  private @Nullable String computed;

  public HashedPayloadStream(InputStream source, PayloadMode.Hashed mode) {
    this.source = source;
    this.announced = mode.sha256().toLowerCase(Locale.ROOT);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = computed == null ? source.read(bytes, offset, length) : -1;
    if (count >= 0) {
      hash.update(bytes, offset, count);
      return count;
    }
    if (computed == null) {
      computed = SignatureText.hex(hash.digest());
    }
    if (!computed.equals(announced)) {
      throw new PayloadFailure(new SignatureFault.ContentHashMismatch(announced, computed));
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
