package dev.ron.storage;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.segment.DiskFailure;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.io.IOException;
import java.time.Duration;

/** What the storage refuses or fails, in order of precedence: the first that applies is told. */
public sealed interface StorageFault extends Fault {
  /** The request is not in the form it must have. */
  record Malformed(String detail) implements StorageFault {}

  record NotFound(Address address) implements StorageFault {}

  /** No such upload: it never was, was completed, or was given up for too long. */
  record UploadUnknown(String upload) implements StorageFault {}

  record PreconditionFailed(Address address) implements StorageFault {}

  /** The bytes are not those of the address they were sent under. */
  record Mismatch(Address expected, Address actual) implements StorageFault {}

  /** The parts do not make an object, or another request works on them. */
  record UploadConflict(String detail) implements StorageFault {}

  record TooLarge(long bytesMax) implements StorageFault {}

  record Unsatisfiable(Address address, long sizeBytes) implements StorageFault {}

  /** A limit of a store or of the uploads is reached. */
  record Busy(String what, int max) implements StorageFault {}

  /** The request needs a disk, on a node that writes nothing to one. */
  record Amnesia(String what) implements StorageFault {}

  /** Every copy was asked and none has these bytes whole; nothing wrong was sent. */
  record Integrity(Address address, long offset) implements StorageFault {}

  /** No room; what is stored can be read. */
  record Full(String detail) implements StorageFault {}

  /** Too few directories could make the write durable, or the object may be on one that is gone. */
  record Unavailable(String detail) implements StorageFault {}

  /** What a disk threw. */
  static StorageFault of(IOException trouble) {
    return DiskFailure.fault(trouble) instanceof ContentFault.Full full
        ? new Full(full.detail())
        : new Unavailable(String.valueOf(trouble.getMessage()));
  }

  @Override
  default Said said() {
    return switch (this) {
      case Malformed(var detail) -> caller(400, "malformed", detail);
      case NotFound(var address) -> caller(404, "not-found", address + " is not stored here");
      case UploadUnknown(var upload) ->
          caller(404, "upload-unknown", "no upload " + upload + " is open here");
      case PreconditionFailed(var address) ->
          caller(412, "precondition-failed", "the precondition does not hold for " + address);
      case Mismatch(var expected, var actual) ->
          caller(
              409,
              "address-mismatch",
              "the bytes sent as " + expected + " are those of " + actual + "; nothing was stored");
      case UploadConflict(var detail) -> caller(409, "upload-conflict", detail);
      case TooLarge(var bytesMax) ->
          caller(413, "too-large", "an object may have up to " + bytesMax + " bytes");
      case Unsatisfiable(var address, var size) ->
          caller(416, "range", "no byte of the range is in the " + size + " bytes of " + address);
      case Busy(var what, var max) ->
          us(429, "busy", what + " is full at " + max + "; retry after the time given")
              .after(Duration.ofSeconds(1));
      case Amnesia(var what) ->
          us(
              503,
              "amnesia",
              what + " would have to be kept on disk, and this node keeps nothing there");
      case Integrity(var address, var offset) ->
          us(
              502,
              "integrity",
              "no copy of %s is good at byte %d; putting the object again repairs it"
                  .formatted(address, offset));
      case Full(var detail) -> us(507, "full", detail);
      // By then a disk check or a repair that is under way may be done.
      case Unavailable(var detail) -> us(503, "unavailable", detail).after(Duration.ofSeconds(2));
    };
  }
}
