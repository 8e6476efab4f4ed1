package dev.ron.sigv4.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.sigv4.SignatureFault;
import dev.ron.sigv4.SignatureText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields after the last chunk: exactly those that {@code x-amz-trailer} announced, each once,
 * and their signature where the chunks are signed.
 *
 * <p>Threading: owned by the thread that reads the body.
 */
final class PayloadTrailer {
  /** A client announces one checksum; a few more do no harm. */
  static final int FIELDS_MAX = 8;

  private static final String SIGNATURE = "x-amz-trailer-signature";

  private final Set<String> announced;
  private final @Nullable ChunkSignatures signatures;
  private final Map<String, String> fields = new LinkedHashMap<>();
  private boolean signed;

  PayloadTrailer(Set<String> announced, @Nullable ChunkSignatures signatures) {
    this.announced = announced;
    this.signatures = signatures;
  }

  /**
   * Takes a line. The published form ends each field with a bare line feed and the block with CR
   * LF, most clients end each with CR LF: so a line may hold several fields.
   */
  void line(String line) throws PayloadFailure {
    for (String field : line.split("\n", FIELDS_MAX + 2)) {
      if (!field.isEmpty()) {
        field(field);
      }
    }
  }

  private void field(String text) throws PayloadFailure {
    int colon = text.indexOf(':');
    if (colon <= 0 || signed) {
      throw malformed(signed ? "a field follows the trailer's signature" : "a line has no name");
    }
    String name = text.substring(0, colon).toLowerCase(Locale.ROOT);
    // Not strip(), which takes control characters away that the signature does not know of.
    String value = text.substring(colon + 1).replaceAll("^[ \t]+|[ \t]+$", "");
    if (name.equals(SIGNATURE)) {
      check(value);
    } else if (!announced.contains(name) || fields.put(name, value) != null) {
      throw malformed("a field was not announced in x-amz-trailer, or comes twice");
    }
  }

  private void check(String signature) throws PayloadFailure {
    if (signatures == null) {
      throw malformed("a trailer is signed whose chunks are not");
    }
    var text = new StringBuilder();
    fields.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
    byte[] hash = SignatureText.sha256().digest(text.toString().getBytes(ISO_8859_1));
    ChunkSignatures.Link link = signatures.nextTrailer(hash);
    if (!SignatureText.same(link.signature(), signature)) {
      throw new PayloadFailure(new SignatureFault.ChunkMismatch(link.stringToSign()));
    }
    signed = true;
  }

  /** The fields by their names in lower case, once the empty line has come. */
  Map<String, String> end() throws PayloadFailure {
    if (!fields.keySet().equals(announced)) {
      throw malformed("a field that x-amz-trailer announced did not come");
    }
    if (signatures != null && !signed) {
      throw malformed("the trailer has no signature");
    }
    return Map.copyOf(fields);
  }

  private static PayloadFailure malformed(String why) {
    return new PayloadFailure(new SignatureFault.MalformedTrailer(why));
  }
}
