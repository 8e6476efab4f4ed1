package dev.ron.kernel.metric;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which series of a text of metrics a client may see that is not the operator: those in which each
 * label that names a tenant's thing names its own, and those that name no tenant's thing.
 *
 * <p>The value under which {@link CappedLabel} counts what came too late is of several owners, so
 * no tenant sees it.
 *
 * <p>Threading: thread-safe, as {@link Metrics} are.
 */
public final class TenantSeries {
  private static final String TENANT = "tenant";

  private final List<Metrics> metrics;

  public TenantSeries(Collection<Metrics> metrics) {
    this.metrics = List.copyOf(metrics);
  }

  /**
   * The text without the series of others.
   *
   * @param tenant empty for a client that names none: it sees what is no tenant's
   */
  public String of(String text, Optional<String> tenant) {
    List<Metrics.OwnedLabel> owned = metrics.stream().flatMap(it -> it.owned().stream()).toList();
    return text.lines()
        .filter(line -> line.startsWith("#") || isSeen(line, tenant, owned))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static boolean isSeen(
      String sample, Optional<String> tenant, List<Metrics.OwnedLabel> owned) {
    int brace = sample.indexOf('{');
    if (brace < 0) {
      return true;
    }
    String name = sample.substring(0, brace);
    int at = brace + 1;
    while (sample.charAt(at) != '}') {
      int equals = sample.indexOf('=', at);
      String label = sample.substring(at, equals);
      var value = new StringBuilder();
      at = value(sample, equals + 2, value);
      if (isHidden(name, label, value.toString(), tenant, owned)) {
        return false;
      }
      at += sample.charAt(at) == ',' ? 1 : 0;
    }
    return true;
  }

  /** Reads a value up to its closing quote; where the sample goes on. */
  private static int value(String sample, int from, StringBuilder value) {
    int at = from;
    for (; sample.charAt(at) != '"'; at++) {
      char c = sample.charAt(at);
      if (c == '\\') {
        at++;
        c = sample.charAt(at) == 'n' ? '\n' : sample.charAt(at);
      }
      value.append(c);
    }
    return at + 1;
  }

  private static boolean isHidden(
      String name,
      String label,
      String value,
      Optional<String> tenant,
      List<Metrics.OwnedLabel> owned) {
    if (label.equals(TENANT)) {
      return !tenant.filter(value::equals).isPresent() || value.equals(CappedLabel.OTHER);
    }
    return owned.stream()
        .filter(each -> each.label().equals(label) && name.startsWith(each.family()))
        .anyMatch(
            each ->
                value.equals(CappedLabel.OTHER)
                    || tenant.filter(it -> each.owner().test(it, value)).isEmpty());
  }
}
