package dev.ron.kernel.tenant;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much each tenant keeps of something that stays: bytes stored, queued or cached.
 *
 * <p>It remembers nothing by itself: the service that keeps the things tells it what there is when
 * it starts, and each change, so it is right after a crash if they are.
 *
 * <p>Threading: thread-safe; a tenant's sum is changed in one step, so two that reserve at once
 * cannot both have the last room.
 */
public final class TenantStock {
  private final TenantLimit limit;
  private final Function<String, TenantTerms> terms;
  private final Map<String, Long> used = new ConcurrentHashMap<>();

  public TenantStock(TenantLimit limit, Supplier<TenantTable> table) {
    this(limit, tenant -> table.get().of(tenant));
  }

  /**
   * @param terms of now, by whatever tells tenants apart here
   */
  public TenantStock(TenantLimit limit, Function<String, TenantTerms> terms) {
    this.limit = limit;
    this.terms = terms;
  }

  /** Takes the room for so many bytes, or says why there is none; then nothing was taken. */
  public @Nullable TenantFault reserve(String tenant, long bytes) {
    TenantTerms now = terms.apply(tenant);
    OptionalLong allowed = now.limit(limit);
    String name = now.name().equals(TenantTable.DEFAULT) ? tenant : now.name();
    var fault = new @Nullable TenantFault[1];
    used.compute(
        tenant,
        (_, before) -> {
          long sum = before == null ? 0 : before;
          if (bytes > 0 && allowed.isPresent() && sum + bytes > allowed.getAsLong()) {
            fault[0] = new TenantFault.OverStock(name, limit, allowed.getAsLong(), sum);
            return before;
          }
          return kept(sum + bytes);
        });
    return fault[0];
  }

  /** Something came without asking, as at a start, or went. */
  public void change(String tenant, long bytes) {
    if (bytes != 0) {
      used.merge(tenant, bytes, (before, more) -> kept(before + more));
    }
  }

  private static @Nullable Long kept(long bytes) {
    return bytes == 0 ? null : bytes;
  }

  public long used(String tenant) {
    return used.getOrDefault(tenant, 0L);
  }
}
