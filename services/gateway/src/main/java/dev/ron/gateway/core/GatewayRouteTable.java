package dev.ron.gateway.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the route of a request: the most particular host, then the longest prefix, then the method.
 *
 * <p>A prefix ends at a slash of the path or at its end: {@code /api} has {@code /api/x} and not
 * {@code /apix}. A host is a name, {@code *.} and a name for everything below it, or empty for any.
 *
 * <p>Threading: immutable.
 *
 * @param <R> what a rule leads to
 */
public final class GatewayRouteTable<R> {
  private static final int EXACT = 2;
  private static final int BELOW = 1;

  private final List<Rule<R>> rules;

  /** One line of the table; no methods stand for all. */
  public record Rule<R>(String host, String prefix, Set<String> methods, R target) {
    public Rule {
      host = host.toLowerCase(Locale.ROOT);
      methods = Set.copyOf(methods);
      if (!prefix.startsWith("/") || (prefix.length() > 1 && prefix.endsWith("/"))) {
        throw new IllegalArgumentException(
            "prefix = \"%s\" must begin with a slash and not end with one".formatted(prefix));
      }
      if (host.contains("/") || host.contains(":") || host.lastIndexOf('*') > 0) {
        throw new IllegalArgumentException(
            "host = \"%s\" must be a name, or *. and a name".formatted(host));
      }
    }

    boolean hasHost(String asked) {
      return switch (particular()) {
        case EXACT -> host.equals(asked);
        case BELOW -> asked.endsWith(host.substring(1)) && asked.length() > host.length() - 1;
        default -> true;
      };
    }

    boolean hasPath(String path) {
      return prefix.length() == 1
          || (path.startsWith(prefix)
              && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/'));
    }

    boolean hasMethod(String method) {
      return methods.isEmpty() || methods.contains(method);
    }

    boolean samePlace(Rule<R> other) {
      return host.equals(other.host) && prefix.equals(other.prefix);
    }

    private int particular() {
      return host.isEmpty() ? 0 : host.startsWith("*") ? BELOW : EXACT;
    }
  }

  /** What came of a search. */
  public sealed interface Match<R> {
    record Found<R>(R target) implements Match<R> {}

    record WrongMethod<R>(String allowed) implements Match<R> {}

    record Nothing<R>() implements Match<R> {}
  }

  public GatewayRouteTable(List<Rule<R>> rules) {
    var sorted = new ArrayList<>(rules);
    sorted.sort(
        Comparator.<Rule<R>>comparingInt(Rule::particular)
            .thenComparingInt(rule -> rule.host().length())
            .thenComparing(Rule::host)
            .thenComparingInt(rule -> rule.prefix().length())
            .thenComparing(Rule::prefix)
            .thenComparing(rule -> !rule.methods().isEmpty())
            .reversed());
    this.rules = List.copyOf(sorted);
    for (int i = 0; i < sorted.size(); i++) {
      for (Rule<R> other : sorted.subList(i + 1, sorted.size())) {
        requireDistinct(sorted.get(i), other);
      }
    }
  }

  private static <R> void requireDistinct(Rule<R> one, Rule<R> other) {
    boolean overlap =
        one.methods().isEmpty()
            ? other.methods().isEmpty()
            : one.methods().stream().anyMatch(other.methods()::contains);
    if (one.samePlace(other) && overlap) {
      throw new IllegalArgumentException(
          "two routes for host = \"%s\", prefix = \"%s\"".formatted(one.host(), one.prefix()));
    }
  }

  /**
   * @param host without a port
   * @param path normalised
   */
  public Match<R> find(String host, String path, String method) {
    String asked = host.toLowerCase(Locale.ROOT);
    Rule<R> nearest = null;
    for (Rule<R> rule : rules) {
      if (nearest != null && !nearest.samePlace(rule)) {
        break; // a wider route does not take what a narrower one refuses
      }
      if (rule.hasHost(asked) && rule.hasPath(path)) {
        if (rule.hasMethod(method)) {
          return new Match.Found<>(rule.target());
        }
        nearest = rule;
      }
    }
    return nearest == null ? new Match.Nothing<>() : new Match.WrongMethod<>(allowed(nearest));
  }

  private String allowed(Rule<R> place) {
    var allowed = new TreeSet<String>();
    rules.stream().filter(place::samePlace).forEach(rule -> allowed.addAll(rule.methods()));
    return String.join(", ", allowed);
  }

  public List<Rule<R>> rules() {
    return rules;
  }
}
