package dev.ron.blake3;

/**
 * What can be wrong with bytes from elsewhere, in order of precedence.
 *
 * <p>Threading: immutable.
 */
public sealed interface Blake3Fault {
  /** The word for it in answers and metrics. */
  String code();

  /** The text is no address. */
  record AddressMalformed(String reason) implements Blake3Fault {
    @Override
    public String code() {
      return "address-malformed";
    }
  }

  /** A length is negative or more than the caller allows, or not the one the caller knows. */
  record LengthRefused(long lengthBytes, long allowedBytes) implements Blake3Fault {
    @Override
    public String code() {
      return "length-refused";
    }
  }

  /** There are fewer bytes than the length calls for. */
  record Truncated(long offset) implements Blake3Fault {
    @Override
    public String code() {
      return "truncated";
    }
  }

  /** There are more bytes than the length calls for. */
  record Trailing(long offset) implements Blake3Fault {
    @Override
    public String code() {
      return "trailing";
    }
  }

  /** The outboard does not belong to the root. */
  record RootMismatch(Hash expected, Hash actual) implements Blake3Fault {
    @Override
    public String code() {
      return "root-mismatch";
    }
  }

  /** A parent of a slice does not hash to what is above it. */
  record ParentMismatch(long offset, long lengthBytes) implements Blake3Fault {
    @Override
    public String code() {
      return "parent-mismatch";
    }
  }

  /** These bytes of the input are not the ones that were hashed. */
  record BytesMismatch(long offset, int lengthBytes) implements Blake3Fault {
    @Override
    public String code() {
      return "bytes-mismatch";
    }
  }

  /** A part has not been handed in. */
  record PartMissing(long index) implements Blake3Fault {
    @Override
    public String code() {
      return "part-missing";
    }
  }

  /** A part does not have the length its place calls for. */
  record PartLengthMismatch(long index, int expectedBytes, int actualBytes) implements Blake3Fault {
    @Override
    public String code() {
      return "part-length-mismatch";
    }
  }
}
