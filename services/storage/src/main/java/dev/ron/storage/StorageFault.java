package dev.ron.storage;

import dev.ron.blake3.Address;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.Optional;

/** What the storage refuses or fails, in order of precedence: the first that applies is told. */
public sealed interface StorageFault extends Fault {
  /** A disk that is being looked after, or a repair under way, may be done by then. */
  Duration REST = Duration.ofSeconds(2);

  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  /** The request is not in the form it must have. */
  record Malformed(String detail) implements StorageFault {
    @Override
    public String code() {
      return "malformed";
    }
  }

  record NotFound(Address address) implements StorageFault {
    @Override
    public String code() {
      return "not-found";
    }

    @Override
    public String detail() {
      return address + " is not stored here";
    }
  }

  /** No such upload: it never was, was completed, or was given up for too long. */
  record UploadUnknown(String upload) implements StorageFault {
    @Override
    public String code() {
      return "upload-unknown";
    }

    @Override
    public String detail() {
      return "no upload " + upload + " is open here";
    }
  }

  record PreconditionFailed(Address address) implements StorageFault {
    @Override
    public String code() {
      return "precondition-failed";
    }

    @Override
    public String detail() {
      return "the precondition does not hold for " + address;
    }
  }

  /** The bytes are not those of the address they were sent under. */
  record Mismatch(Address expected, Address actual) implements StorageFault {
    @Override
    public String code() {
      return "address-mismatch";
    }

    @Override
    public String detail() {
      return "the bytes sent as %s are those of %s; nothing was stored".formatted(expected, actual);
    }
  }

  /** The parts do not make an object, or are in somebody else's hands. */
  record UploadConflict(String detail) implements StorageFault {
    @Override
    public String code() {
      return "upload-conflict";
    }
  }

  record TooLarge(long bytesMax) implements StorageFault {
    @Override
    public String code() {
      return "too-large";
    }

    @Override
    public String detail() {
      return "an object may have up to %d bytes".formatted(bytesMax);
    }
  }

  record Unsatisfiable(Address address, long sizeBytes) implements StorageFault {
    @Override
    public String code() {
      return "range";
    }

    @Override
    public String detail() {
      return "no byte of the range is in the %d bytes of %s".formatted(sizeBytes, address);
    }
  }

  /** What would have to be written down, on a node that writes nothing down. */
  record Amnesia(String what) implements StorageFault {
    @Override
    public String code() {
      return "amnesia";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return what + " would have to be kept on disk, and this node keeps nothing there";
    }
  }

  /** Every copy was asked and none has these bytes whole; nothing wrong was sent. */
  record Integrity(Address address, long offset) implements StorageFault {
    @Override
    public String code() {
      return "integrity";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "no copy of %s is good at byte %d; putting the object again repairs it"
          .formatted(address, offset);
    }
  }

  /** No room; what is stored can be read. */
  record Full(String detail) implements StorageFault {
    @Override
    public String code() {
      return "full";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }
  }

  /** Too few directories could make the write durable, or the object may be on one that is gone. */
  record Unavailable(String detail) implements StorageFault {
    @Override
    public String code() {
      return "unavailable";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(REST);
    }
  }
}
