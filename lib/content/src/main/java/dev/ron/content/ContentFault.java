package dev.ron.content;

import dev.ron.blake3.Address;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.Optional;

/**
 * What a content store can refuse or fail, in order of precedence.
 *
 * <p>Threading: immutable.
 */
public sealed interface ContentFault extends Fault {
  @Override
  default Blame blame() {
    return Blame.US;
  }

  /** There is no such object, or it was deleted. */
  record NotFound(Address address) implements ContentFault {
    @Override
    public String code() {
      return "not-found";
    }

    @Override
    public Blame blame() {
      return Blame.CALLER;
    }

    @Override
    public String detail() {
      return address + " is not stored here";
    }
  }

  /** The range begins beyond the object's end. */
  record OutOfRange(Address address, long offset, long sizeBytes) implements ContentFault {
    @Override
    public String code() {
      return "out-of-range";
    }

    @Override
    public Blame blame() {
      return Blame.CALLER;
    }

    @Override
    public String detail() {
      return "%s has %d bytes, the range begins at %d".formatted(address, sizeBytes, offset);
    }
  }

  /** The bytes are not those of the address they were sent under. */
  record Mismatch(Address expected, Address actual) implements ContentFault {
    @Override
    public String code() {
      return "address-mismatch";
    }

    @Override
    public Blame blame() {
      return Blame.CALLER;
    }

    @Override
    public String detail() {
      return "the bytes sent as %s are those of %s".formatted(expected, actual);
    }
  }

  /** The object has more bytes than the store takes in one. */
  record TooLarge(long objectBytesMax) implements ContentFault {
    @Override
    public String code() {
      return "too-large";
    }

    @Override
    public Blame blame() {
      return Blame.CALLER;
    }

    @Override
    public String detail() {
      return "an object may have up to %d bytes".formatted(objectBytesMax);
    }
  }

  /** Somebody holds on to the object. */
  record Pinned(Address address) implements ContentFault {
    @Override
    public String code() {
      return "pinned";
    }

    @Override
    public String detail() {
      return address + " is pinned and cannot be deleted before it is unpinned";
    }
  }

  /** There is no room; what is stored can be read. */
  record Full(String what) implements ContentFault {
    @Override
    public String code() {
      return "full";
    }

    @Override
    public String detail() {
      return what + "; free some space, what is stored can be read";
    }
  }

  /** The disk takes no writes; what is stored can be read. */
  record ReadOnly() implements ContentFault {
    @Override
    public String code() {
      return "read-only";
    }

    @Override
    public String detail() {
      return "the disk is mounted read-only or may not be written; what is stored can be read";
    }
  }

  /** The bytes at rest are not those that were stored; another copy has to serve. */
  record Corrupt(Address address, long group) implements ContentFault {
    @Override
    public String code() {
      return "corrupt";
    }

    @Override
    public String detail() {
      return "group %d of %s is damaged; putting the object again repairs it"
          .formatted(group, address);
    }
  }

  /** The disk failed in some other way; a put may or may not be found after the next start. */
  record DiskFailed(String what) implements ContentFault {
    @Override
    public String code() {
      return "disk-failed";
    }

    @Override
    public String detail() {
      return what;
    }
  }

  /** A store elsewhere did not do what it was asked; nothing is known about the object. */
  record RemoteFailed(Trouble trouble, String what) implements ContentFault {
    /** What has to be mended, and by whom. */
    public enum Trouble {
      /** It does not answer. */
      UNREACHABLE("remote-unreachable"),
      /** An operator has to make the bucket, or name another. */
      BUCKET_MISSING("remote-bucket-missing"),
      /** An operator has to give other credentials, or more rights to these. */
      CREDENTIALS_REFUSED("remote-credentials-refused"),
      /** It answers, but not with what was asked for. */
      REFUSED("remote-refused");

      private final String code;

      Trouble(String code) {
        this.code = code;
      }
    }

    @Override
    public String code() {
      return trouble.code;
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }

    @Override
    public String detail() {
      return what;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return trouble == Trouble.UNREACHABLE ? Optional.of(Duration.ofSeconds(5)) : Optional.empty();
    }
  }

  /** A bound of the store is reached. */
  record Busy(String what, int max) implements ContentFault {
    @Override
    public String code() {
      return "busy";
    }

    @Override
    public String detail() {
      return "%s are at their limit of %d".formatted(what, max);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(Duration.ofSeconds(1));
    }
  }

  /** The deadline passed before the answer; the change may still happen. */
  record Late(String what) implements ContentFault {
    @Override
    public String code() {
      return "late";
    }

    @Override
    public String detail() {
      return what + " was not done before the deadline, and may still be";
    }
  }

  /** The store is going down; nothing was promised. */
  record Closed() implements ContentFault {
    @Override
    public String code() {
      return "draining";
    }

    @Override
    public String detail() {
      return "the store is shutting down";
    }
  }
}
