package dev.ron.gateway;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.upstream;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the gateway itself refuses or fails, in order of precedence. What every server refuses, from
 * {@code malformed} to {@code forbidden}, is the HTTP layer's.
 */
public sealed interface GatewayFault extends Fault {
  /** Where the request stood: whose it was, and how many of that tenant's waited. */
  record QueuePlace(TenantClass tenantClass, int queueDepth) {
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
      return name().toLowerCase(Locale.ROOT);
    }
  }

  QueuePlace standing();

  /** More requests a second than the instance, the tenant or the capability may have. */
  record Quota(String what, long perSecond, Duration rest, QueuePlace standing)
      implements GatewayFault {}

  /** As many requests wait as may. */
  record Busy(String queue, int capacity, QueuePlace standing) implements GatewayFault {}

  /** No upstream gave an answer that can be passed on. */
  record Upstream(String route, String why, QueuePlace standing) implements GatewayFault {}

  /** It still waited for a place when the gateway ended. */
  record Draining(QueuePlace standing) implements GatewayFault {}

  /** Refused so that others go on: a write under pressure, or a pool that is left alone. */
  record Degraded(String why, Duration rest, QueuePlace standing) implements GatewayFault {}

  // Joined, not formatted: under a flood a refusal must stay cheap.
  @Override
  default Said said() {
    return switch (this) {
      case Quota(var what, var rate, var rest, _) ->
          caller(
                  429,
                  "quota",
                  what + " may send " + rate + " requests a second; retry after the time given")
              .after(rest);
      case Busy(var queue, var capacity, _) ->
          us(429, "busy", queue + " is full at " + capacity + "; retry after the time given")
              .after(Duration.ofSeconds(1));
      case Upstream(var route, var why, _) ->
          upstream(502, "upstream", "the upstream of " + route + " failed: " + why);
      case Draining _ -> new KernelFault.Draining("gateway").said();
      case Degraded(var why, var rest, _) ->
          us(503, "degraded", why + "; retry after the time given").after(rest);
    };
  }

  @Override
  default Map<String, String> members() {
    return standing().members();
  }
}
