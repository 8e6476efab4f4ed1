package dev.ron.kernel.tenant;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
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
  private final ToLongFunction<String> elsewhere;
  private final Map<String, Long> used = new ConcurrentHashMap<>();

  /**
   * @param elsewhere what a tenant has of it at other services, which ask here likewise
   */
  public TenantStock(
      TenantLimit limit, Supplier<TenantTable> table, ToLongFunction<String> elsewhere) {
    this(limit, tenant -> table.get().of(tenant), elsewhere);
  }

  /**
   * @param terms of now, by whatever tells tenants apart here
   */
  public TenantStock(TenantLimit limit, Function<String, TenantTerms> terms) {
    this(limit, terms, _ -> 0);
  }

  private TenantStock(
      TenantLimit limit, Function<String, TenantTerms> terms, ToLongFunction<String> elsewhere) {
    this.limit = limit;
    this.terms = terms;
    this.elsewhere = elsewhere;
  }

  /**
   * Takes the room for so many bytes, or says why there is none; then nothing was taken.
   *
   * <p>It is taken first and then compared: of two that ask at two services at once for the last
   * room, neither may have it, and never both.
   */
  public @Nullable TenantFault reserve(String tenant, long bytes) {
    TenantTerms now = terms.apply(tenant);
    OptionalLong allowed = now.limit(limit);
    if (bytes <= 0 || allowed.isEmpty()) {
      change(tenant, bytes);
      return null;
    }
    long most = allowed.getAsLong();
    long before = taken(tenant, bytes, most);
    long others = elsewhere.applyAsLong(tenant);
    if (before + bytes <= most && before + bytes + others > most) {
      change(tenant, -bytes);
    }
    String name = now.name().equals(TenantTable.DEFAULT) ? tenant : now.name();
    return before + bytes + others > most
        ? new TenantFault.OverStock(name, limit, most, before + others)
        : null;
  }

  /** Takes it if there is room for it here; answers what was used before. */
  private long taken(String tenant, long bytes, long most) {
    long[] before = {0};
    used.compute(
        tenant,
        (_, sum) -> {
          before[0] = sum == null ? 0 : sum;
          return before[0] + bytes > most ? sum : kept(before[0] + bytes);
        });
    return before[0];
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
