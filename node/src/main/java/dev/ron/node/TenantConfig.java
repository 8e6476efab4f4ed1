package dev.ron.node;

import dev.ron.config.Section;
import dev.ron.config.value.ByteSize;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One entry of {@code [[tenants]]}: a tenant's weight and limits, in every service. */
final class TenantConfig {
  private static final String END = " Empty for no limit; 0 for nothing.";
  private static final long COUNT_MAX = 1L << 20;

  private TenantConfig() {}

  static TenantTable read(Section root) {
    return new TenantTable(
        root.key("tenants", List.of())
            .doc("What tenants get, in every service; `default` is for those that are not listed.")
            .live()
            .each(TenantConfig::terms));
  }

  private static TenantTerms terms(Section section) {
    String name =
        section
            .required("name", "acme")
            .doc("As the `tenant` of a capability; `default`, `anonymous`, or inner work.")
            .text();
    int weight =
        section
            .key("weight", 1)
            .doc("Its share where tenants contend.")
            .integer(1, TenantTerms.WEIGHT_MAX);
    Map<TenantLimit, Long> limits = new EnumMap<>(TenantLimit.class);
    count(section, limits, TenantLimit.REQUESTS_PER_SECOND, "At each door.", TenantTerms.RATE_MAX);
    size(section, limits, TenantLimit.BYTES_IN_PER_SECOND, "Of bodies, at each door.", "4GiB");
    size(section, limits, TenantLimit.BYTES_OUT_PER_SECOND, "Of answers, at each door.", "4GiB");
    count(section, limits, TenantLimit.IN_FLIGHT, "Requests at a time, at each door.", COUNT_MAX);
    count(section, limits, TenantLimit.CONNECTIONS, "At a time, at each door.", COUNT_MAX);
    size(section, limits, TenantLimit.STORED, "In storage, S3 included.", "1048576TiB");
    size(section, limits, TenantLimit.QUEUED, "In the mailbox, SQS included.", "1048576TiB");
    size(section, limits, TenantLimit.CACHED, "At the edge.", "1048576TiB");
    count(section, limits, TenantLimit.COMPUTE, "Epochs of the rewarder at a time.", COUNT_MAX);
    return new TenantTerms(name, weight, limits);
  }

  private static void count(
      Section section, Map<TenantLimit, Long> limits, TenantLimit limit, String doc, long max) {
    Optional<Long> value = section.key(limit.word(), "").doc(doc + END).longOrNothing(0, max);
    value.ifPresent(count -> limits.put(limit, count));
  }

  private static void size(
      Section section, Map<TenantLimit, Long> limits, TenantLimit limit, String doc, String max) {
    Optional<ByteSize> value =
        section.key(limit.word(), "").doc(doc + END).sizeOrNothing("0B", max);
    value.ifPresent(size -> limits.put(limit, size.bytes()));
  }
}
