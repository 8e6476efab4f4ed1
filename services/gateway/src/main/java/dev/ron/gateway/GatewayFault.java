package dev.ron.gateway;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the gateway itself refuses or fails, in order of precedence. What every server refuses, from
 * {@code malformed} to {@code forbidden}, is the HTTP layer's.
 */
public sealed interface GatewayFault extends Fault {
  /** Where the request stood: whose it was, and how many of that tenant's waited. */
  record Standing(TenantClass tenantClass, int queueDepth) {
    Map<String, String> members() {
      var members = new LinkedHashMap<String, String>();
      members.put("tenant_class", tenantClass.words());
      members.put("queue_depth", Integer.toString(queueDepth));
      return members;
    }
  }

  /** How the tenant was named. */
  enum TenantClass {
    ANONYMOUS,
    CAPABILITY,
    HEADER;

    public String words() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  Standing standing();

  @Override
  default Map<String, String> members() {
    return standing().members();
  }

  /** More requests a second than the instance, the tenant or the capability may have. */
  record Quota(String what, long perSecond, Duration rest, Standing standing)
      implements GatewayFault {
    @Override
    public String code() {
      return "quota";
    }

    @Override
    public Blame blame() {
      return Blame.CALLER;
    }

    @Override
    public String detail() {
      return "%s may send %d requests a second; retry after the time given"
          .formatted(what, perSecond);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }

  /** As many requests wait as may. */
  record Busy(String queue, int capacity, Standing standing) implements GatewayFault {
    private static final Duration REST = Duration.ofSeconds(1);

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
      return "%s is full at %d; retry after the time given".formatted(queue, capacity);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(REST);
    }
  }

  /** No upstream gave an answer that can be passed on. */
  record Upstream(String route, String why, Standing standing) implements GatewayFault {
    @Override
    public String code() {
      return "upstream";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }

    @Override
    public String detail() {
      return "the upstream of %s failed: %s".formatted(route, why);
    }
  }

  /** It still waited for a place when the gateway ended. */
  record Draining(Standing standing) implements GatewayFault {
    private static final KernelFault.Draining PLAIN = new KernelFault.Draining("gateway");

    @Override
    public String code() {
      return PLAIN.code();
    }

    @Override
    public Blame blame() {
      return PLAIN.blame();
    }

    @Override
    public String detail() {
      return PLAIN.detail();
    }

    @Override
    public Optional<Duration> retryAfter() {
      return PLAIN.retryAfter();
    }
  }

  /** Refused so that others go on: a write under pressure, or a pool that is left alone. */
  record Degraded(String why, Duration rest, Standing standing) implements GatewayFault {
    @Override
    public String code() {
      return "degraded";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return why + "; retry after the time given";
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }
}
