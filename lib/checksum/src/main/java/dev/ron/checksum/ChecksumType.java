package dev.ron.checksum;

/** What the checksum of a multipart object is computed over. */
public enum ChecksumType {
  /** The bytes of the object, as if it had been sent in one piece. */
  FULL_OBJECT,
  /** The digests of its parts in their order; written with {@code -} and the number of parts. */
  COMPOSITE
}
