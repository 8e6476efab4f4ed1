package dev.ron.content;

import static dev.ron.kernel.fault.Said.NO_STATUS;
import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.upstream;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.blake3.Address;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;

/**
 * What a content store can refuse or fail, in order of precedence.
 *
 * <p>None has an HTTP status: a service has several copies to ask, and tells a fault of its own.
 *
 * <p>Threading: immutable.
 */
public sealed interface ContentFault extends Fault {
  /** There is no such object, or it was deleted. */
  record NotFound(Address address) implements ContentFault {}

  /** The range begins beyond the object's end. */
  record OutOfRange(Address address, long offset, long sizeBytes) implements ContentFault {}

  /** The bytes are not those of the address they were sent under. */
  record Mismatch(Address expected, Address actual) implements ContentFault {}

  /** The object has more bytes than the store takes in one. */
  record TooLarge(long objectBytesMax) implements ContentFault {}

  /** A pin keeps the object from being deleted. */
  record Pinned(Address address) implements ContentFault {}

  /** There is no room; what is stored can be read. */
  record Full(String what) implements ContentFault {}

  /** The disk takes no writes; what is stored can be read. */
  record ReadOnly() implements ContentFault {}

  /** The bytes at rest are not those that were stored; another copy has to serve. */
  record Corrupt(Address address, long group) implements ContentFault {}

  /** The disk failed in some other way; a put may or may not be found after the next start. */
  record DiskFailed(String what) implements ContentFault {}

  /** A store elsewhere did not do what it was asked; nothing is known about the object. */
  record RemoteFailed(Trouble trouble, String what) implements ContentFault {
    /** What has to be mended. */
    public enum Trouble {
      /** It does not answer. */
      UNREACHABLE,
      /** An operator has to make the bucket, or name another. */
      BUCKET_MISSING,
      /** An operator has to give other credentials, or more rights to these. */
      CREDENTIALS_REFUSED,
      /** It answers, but not with what was asked for. */
      REFUSED
    }

    private Said row() {
      return switch (trouble) {
        case UNREACHABLE ->
            upstream(NO_STATUS, "remote-unreachable", what).after(Duration.ofSeconds(5));
        case BUCKET_MISSING -> upstream(NO_STATUS, "remote-bucket-missing", what);
        case CREDENTIALS_REFUSED -> upstream(NO_STATUS, "remote-credentials-refused", what);
        case REFUSED -> upstream(NO_STATUS, "remote-refused", what);
      };
    }
  }

  /** A bound of the store is reached. */
  record Busy(String what, int max) implements ContentFault {}

  /** The deadline passed before the answer; the change may still happen. */
  record Late(String what) implements ContentFault {}

  /** The store is going down; nothing was promised. */
  record Closed() implements ContentFault {}

  @Override
  default Said said() {
    return switch (this) {
      case NotFound(var address) -> caller(NO_STATUS, "not-found", address + " is not stored here");
      case OutOfRange(var address, var offset, var size) ->
          caller(
              NO_STATUS,
              "out-of-range",
              address + " has " + size + " bytes, the range begins at " + offset);
      case Mismatch(var expected, var actual) ->
          caller(
              NO_STATUS,
              "address-mismatch",
              "the bytes sent as " + expected + " are those of " + actual);
      case TooLarge(var bytesMax) ->
          caller(NO_STATUS, "too-large", "an object may have up to " + bytesMax + " bytes");
      case Pinned(var address) ->
          us(
              NO_STATUS,
              "pinned",
              address + " is pinned and cannot be deleted before it is unpinned");
      case Full(var what) ->
          us(NO_STATUS, "full", what + "; free some space, what is stored can be read");
      case ReadOnly() ->
          us(
              NO_STATUS,
              "read-only",
              "the disk is mounted read-only or may not be written; what is stored can be read");
      case Corrupt(var address, var group) ->
          us(
              NO_STATUS,
              "corrupt",
              "group %d of %s is damaged; putting the object again repairs it"
                  .formatted(group, address));
      case DiskFailed(var what) -> us(NO_STATUS, "disk-failed", what);
      case RemoteFailed remote -> remote.row();
      case Busy(var what, var max) ->
          us(NO_STATUS, "busy", what + " are at their limit of " + max)
              .after(Duration.ofSeconds(1));
      case Late(var what) ->
          us(NO_STATUS, "late", what + " was not done before the deadline, and may still be");
      case Closed() -> us(NO_STATUS, "draining", "the store is shutting down");
    };
  }
}
