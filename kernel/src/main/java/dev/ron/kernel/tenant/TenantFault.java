package dev.ron.kernel.tenant;

import static dev.ron.kernel.fault.Said.caller;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A tenant is over one of its limits; every service answers the same. */
public sealed interface TenantFault extends Fault {
  /** One request takes milliseconds; a second later others are in flight. */
  Duration REST = Duration.ofSeconds(1);

  /** In one millisecond. */
  long MILLI_NANOS = 1_000_000L;

  String tenant();

  TenantLimit limit();

  long allowed();

  /**
   * More a second than its limit.
   *
   * @param rest after which the same request is admitted, if no other of the tenant comes before
   */
  record OverRate(String tenant, TenantLimit limit, long allowed, Duration rest)
      implements TenantFault {}

  /** More at a time than its limit. */
  record OverCount(String tenant, TenantLimit limit, long allowed) implements TenantFault {}

  /** More kept than its limit; waiting alone does not help. */
  record OverStock(String tenant, TenantLimit limit, long allowed, long used)
      implements TenantFault {}

  /** The limit is zero: no request of this tenant is taken. */
  record Barred(String tenant, TenantLimit limit) implements TenantFault {
    @Override
    public long allowed() {
      return 0;
    }
  }

  @Override
  default Said said() {
    return switch (this) {
      case OverRate(var tenant, var limit, var allowed, var rest) ->
          caller(
                  429,
                  "tenant-rate",
                  "the tenant %s is over %s = %d; retry after the time given"
                      .formatted(tenant, limit.word(), allowed))
              .after(rest);
      case OverCount(var tenant, var limit, var allowed) ->
          caller(
                  429,
                  "tenant-busy",
                  "the tenant %s has reached %s = %d; wait for its other requests"
                      .formatted(tenant, limit.word(), allowed))
              .after(REST);
      case OverStock(var tenant, var limit, var allowed, var used) ->
          caller(
              507,
              "tenant-quota",
              ("the tenant %s would exceed %s = %d bytes, of which it uses %d;"
                      + " delete something, or raise the limit")
                  .formatted(tenant, limit.word(), allowed, used));
      case Barred(var tenant, var limit) ->
          caller(
              429,
              "tenant-barred",
              "no request of the tenant %s is taken: its %s = 0".formatted(tenant, limit.word()));
    };
  }

  @Override
  default Map<String, String> members() {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("tenant", tenant());
    members.put("limit", limit().word());
    members.put("allowed", Long.toString(allowed()));
    switch (this) {
      case OverRate over ->
          members.put(
              "retry_after_ms", Long.toString(Math.ceilDiv(over.rest().toNanos(), MILLI_NANOS)));
      case OverStock over -> members.put("used", Long.toString(over.used()));
      case OverCount _, Barred _ -> {
        // the limit says it all
      }
    }
    return members;
  }
}
