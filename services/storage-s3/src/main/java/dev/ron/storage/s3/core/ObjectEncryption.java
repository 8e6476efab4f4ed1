package dev.ron.storage.s3.core;

/**
 * How the bytes of an object are encrypted: with a key of their own, which is kept encrypted with
 * another.
 *
 * <p>Threading: immutable.
 *
 * @param masterKey which of the server's keys opens the object's; empty for a client's
 * @param wrappedKey the object's key, encrypted; only the right other key opens it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and handed on without a copy
public record ObjectEncryption(Kind kind, String masterKey, byte[] wrappedKey) {
  /** Whose the other key is. */
  public enum Kind {
    /** The server's own, {@code SSE-S3}. */
    SERVER_KEY,
    /** One that the client sends with every request and the server never stores, {@code SSE-C}. */
    CLIENT_KEY
  }
}
