package dev.ron.sigv4.payload;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignatureFault;
import dev.ron.sigv4.SignatureText;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a body out of its chunks, from pieces of any size.
 *
 * <pre>
 * signed    hex ";chunk-signature=" 64hex CRLF bytes CRLF ... "0;chunk-signature=" 64hex CRLF
 * unsigned  hex CRLF bytes CRLF ... "0" CRLF
 * then      CRLF, or the trailer's lines and CRLF
 * </pre>
 *
 * <p>The bytes of a chunk are handed on as they come, before its signature can be checked: a chunk
 * is as large as its client likes, and holding it back would let the client decide how much memory
 * it takes. So a consumer keeps what it got only after {@link #end} has found nothing wrong; that
 * is only so if every signature, the last and empty chunk's included, and the exact length fit.
 *
 * <p>Threading: owned by the thread that reads the body.
 */
public final class ChunkedPayload {
  private static final String SIGNATURE = ";chunk-signature=";
  private static final int SIZE_DIGITS_MAX = 15;

  private final @Nullable ChunkSignatures signatures;
  private final @Nullable PayloadTrailer trailer;
  private final long decodedLength;
  private final ChunkLines lines = new ChunkLines();
  private final MessageDigest hash = SignatureText.sha256();

  private State state = State.SIZE_LINE;
  private long received;
  private long chunkLeft;
  private String chunkSignature = "";
  private Map<String, String> trailerFields = Map.of();
  private @Nullable SignatureFault fault;

  private enum State {
    SIZE_LINE,
    BYTES,
    BYTES_END,
    TRAILER,
    LAST_END,
    DONE
  }

  /**
   * A body of so many bytes.
   *
   * @param mode one of the chunked
   * @param seed what the request's signature leaves for the chunks; used where they are signed
   * @param decodedLength what {@code x-amz-decoded-content-length} says
   * @param announcedTrailers the names in {@code x-amz-trailer}, in lower case
   */
  public ChunkedPayload(
      PayloadMode mode,
      ChunkSignatures.@Nullable Seed seed,
      long decodedLength,
      Set<String> announcedTrailers) {
    if (decodedLength < 0) {
      throw new IllegalArgumentException("a body of " + decodedLength + " bytes");
    }
    boolean trailing;
    switch (mode) {
      case PayloadMode.UnsignedChunks() -> {
        trailing = true;
        this.signatures = null;
      }
      case PayloadMode.SignedChunks(boolean trailer) -> {
        trailing = trailer;
        if (seed == null) {
          throw new IllegalArgumentException("signed chunks go on from a signature");
        }
        this.signatures = new ChunkSignatures(seed);
      }
      case PayloadMode.Hashed _, PayloadMode.Unsigned _ ->
          throw new IllegalArgumentException(mode.text() + " has no chunks");
    }
    this.trailer = trailing ? new PayloadTrailer(Set.copyOf(announcedTrailers), signatures) : null;
    this.decodedLength = decodedLength;
  }

  /**
   * Takes from {@code wire} and puts into {@code plain} until one of them has nothing left, or the
   * body has ended. After a fault it answers the same one for ever.
   */
  public Optional<SignatureFault> decode(ByteBuffer wire, ByteBuffer plain) {
    if (fault == null) {
      try {
        while (step(wire, plain)) {
          // Each step takes something, or changes the state.
        }
      } catch (PayloadFailure failure) {
        fault = failure.fault();
      }
    }
    return Optional.ofNullable(fault);
  }

  /** Nothing more comes: a body that has not ended is cut off. */
  public Optional<SignatureFault> end() {
    if (fault == null && state != State.DONE) {
      fault = new SignatureFault.IncompleteBody("the body ends before its last chunk");
    }
    return Optional.ofNullable(fault);
  }

  /** Whether the last byte of the framing has come and everything fits. */
  public boolean done() {
    return fault == null && state == State.DONE;
  }

  /** The fields after the last chunk, by their names in lower case. */
  public Map<String, String> trailers() {
    if (!done()) {
      throw new IllegalStateException("the body has not ended");
    }
    return trailerFields;
  }

  private boolean step(ByteBuffer wire, ByteBuffer plain) throws PayloadFailure {
    return switch (state) {
      case SIZE_LINE -> {
        Optional<String> line = lines.next(wire);
        if (line.isPresent()) {
          size(line.get());
        }
        yield line.isPresent();
      }
      case BYTES -> bytes(wire, plain);
      case BYTES_END -> {
        Optional<String> line = lines.next(wire);
        if (line.isPresent()) {
          chunkEnd(line.get());
        }
        yield line.isPresent();
      }
      case TRAILER, LAST_END -> {
        Optional<String> line = lines.next(wire);
        if (line.isPresent()) {
          lastLine(line.get());
        }
        yield line.isPresent();
      }
      case DONE -> {
        if (wire.hasRemaining()) {
          throw malformed("bytes follow the last chunk");
        }
        yield false;
      }
    };
  }

  private void size(String line) throws PayloadFailure {
    String digits = line;
    if (signatures != null) {
      int semicolon = line.indexOf(';');
      if (semicolon < 0 || !line.startsWith(SIGNATURE, semicolon)) {
        throw malformed("a chunk has no signature");
      }
      digits = line.substring(0, semicolon);
      chunkSignature = line.substring(semicolon + SIGNATURE.length());
      if (!SignatureText.isHex(chunkSignature)) {
        throw malformed("a chunk's signature is not 64 hex digits");
      }
    }
    chunkLeft = number(digits);
    if (chunkLeft > decodedLength - received) {
      throw new PayloadFailure(
          new SignatureFault.IncompleteBody(
              "the chunks hold more than x-amz-decoded-content-length says"));
    }
    if (chunkLeft > 0) {
      state = State.BYTES;
      return;
    }
    checkSignature();
    if (received != decodedLength) {
      throw new PayloadFailure(
          new SignatureFault.IncompleteBody(
              "the chunks hold less than x-amz-decoded-content-length says"));
    }
    state = trailer == null ? State.LAST_END : State.TRAILER;
  }

  private boolean bytes(ByteBuffer wire, ByteBuffer plain) {
    int count = (int) Math.min(chunkLeft, Math.min(wire.remaining(), plain.remaining()));
    if (count == 0) {
      return false;
    }
    ByteBuffer piece = wire.slice(wire.position(), count);
    wire.position(wire.position() + count);
    plain.put(piece);
    if (signatures != null) {
      hash.update(piece.flip());
    }
    received += count;
    chunkLeft -= count;
    if (chunkLeft == 0) {
      state = State.BYTES_END;
    }
    return true;
  }

  private void chunkEnd(String line) throws PayloadFailure {
    if (!line.isEmpty()) {
      throw malformed("a chunk is longer than its size says");
    }
    checkSignature();
    state = State.SIZE_LINE;
  }

  private void checkSignature() throws PayloadFailure {
    if (signatures == null) {
      return;
    }
    ChunkSignatures.Link link = signatures.nextChunk(hash.digest());
    if (!SignatureText.same(link.signature(), chunkSignature)) {
      throw new PayloadFailure(new SignatureFault.ChunkMismatch(link.stringToSign()));
    }
  }

  private void lastLine(String line) throws PayloadFailure {
    if (trailer == null) {
      if (!line.isEmpty()) {
        throw malformed("bytes follow the last chunk");
      }
      state = State.DONE;
    } else if (line.isEmpty()) {
      trailerFields = trailer.end();
      state = State.DONE;
    } else {
      trailer.line(line);
    }
  }

  private static long number(String digits) throws PayloadFailure {
    boolean hex =
        !digits.isEmpty()
            && digits.length() <= SIZE_DIGITS_MAX
            && digits.chars().allMatch(java.util.HexFormat::isHexDigit);
    if (!hex) {
      throw malformed(
          "a chunk's size is 1 to " + SIZE_DIGITS_MAX + " hex digits, and nothing else");
    }
    return Long.parseLong(digits, 16);
  }

  private static PayloadFailure malformed(String why) {
    return new PayloadFailure(new SignatureFault.MalformedChunk(why));
  }
}
