package dev.ron.edge;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.Optional;

/**
 * What the edge refuses or fails, in order of precedence: the first that applies is told.
 *
 * <p>Refusals of the HTTP layer itself, such as rate and body caps, are {@code HttpFault}s.
 */
public sealed interface EdgeFault extends Fault {
  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  /** Its label in {@code edge_rejects_total}. */
  default String reason() {
    return code().replace('-', '_');
  }

  /** No capability, or one that is worth nothing now. */
  record CapAuth(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "cap-auth";
    }
  }

  /** A good capability, but not for this. */
  record CapScope(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "cap-scope";
    }
  }

  /** The method or the upstream's address is not on the list. */
  record NotAllowed(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "not-allowed";
    }
  }

  /** The pack, the tile or the asset is not here. */
  record NotFound(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "not-found";
    }
  }

  /** What is here is not what the caller said it must be. */
  record PreconditionFailed() implements EdgeFault {
    @Override
    public String code() {
      return "precondition-failed";
    }

    @Override
    public String detail() {
      return "what is served now does not have the entity tag or date of the precondition";
    }
  }

  /** A range that cannot be answered. */
  record InvalidRange(String detail, long bytesTotal) implements EdgeFault {
    @Override
    public String code() {
      return "invalid-range";
    }
  }

  /** The caller asked for what is stored only, and it is not. */
  record NotCached() implements EdgeFault {
    @Override
    public String code() {
      return "not-cached";
    }

    @Override
    public String detail() {
      return "only-if-cached was asked for, and no stored answer can be used";
    }
  }

  /** The edge is offline and has no answer that may be used. */
  record Offline(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "offline";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }
  }

  /** Nothing may be kept, and the configuration refuses to fill without keeping. */
  record Amnesia() implements EdgeFault {
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
      return "the edge keeps nothing (amnesia), and fill.under_amnesia = refuse";
    }
  }

  /** Every place in the work queue is taken. */
  record Busy(int limit) implements EdgeFault {
    @Override
    public String code() {
      return "busy";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "%d fills are waiting already; retry after the time given".formatted(limit);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(Duration.ofSeconds(1));
    }
  }

  /** What came was longer, decoded or not, than what is taken. */
  record BodyCap(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "body-cap";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }
  }

  /** Stored bytes grow beyond the guard when they are decoded. */
  record DecompressCap(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "decompress-cap";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }
  }

  /** The upstream took longer than allowed. */
  record UpstreamTimeout(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "timeout";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }
  }

  /** The upstream's validators contradict each other. */
  record EtagInvalid(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "etag-invalid";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }
  }

  /** The upstream could not be reached, or its answer breaks the protocol. */
  record Upstream(String detail) implements EdgeFault {
    @Override
    public String code() {
      return "upstream";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }
  }

  /** The store or a pack cannot be read; another try may find it whole. */
  record Unavailable(String detail) implements EdgeFault {
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
      return Optional.of(Duration.ofSeconds(2));
    }
  }
}
