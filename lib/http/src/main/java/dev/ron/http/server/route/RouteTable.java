package dev.ron.http.server.route;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.wire.RequestHead;
import dev.ron.kernel.metric.KernelMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a request.
 *
 * <p>Threading: immutable.
 */
public final class RouteTable {
  private static final List<String> LABELS =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "other");
  private static final Set<String> METHODS = Set.copyOf(LABELS.subList(0, LABELS.size() - 1));

  /** As many values as the label of a method can have. */
  static final int METHOD_LABELS = LABELS.size();

  private static final String[] NO_VALUES = {};

  private final Map<String, List<BoundRoute>> literal = new HashMap<>();
  private final List<BoundRoute> patterns = new ArrayList<>();
  private final BoundRoute unmatched;

  public RouteTable(List<Route> routes, KernelMetrics counters) {
    for (Route route : routes) {
      var bound = new BoundRoute(route, counters);
      if (route.pattern().isLiteral()) {
        literal.computeIfAbsent(route.pattern().toString(), _ -> new ArrayList<>()).add(bound);
      } else {
        patterns.add(bound);
      }
    }
    Inline never = _ -> {};
    unmatched = new BoundRoute(Route.of("none", "/{unmatched...}", "unmatched", never), counters);
  }

  /** Stands in for a route until one is found. */
  public BoundRoute unmatched() {
    return unmatched;
  }

  /** Gives the exchange its route, or says why there is none. */
  @Nullable public Refusal match(Exchange exchange) {
    RequestHead head = exchange.head();
    for (BoundRoute bound : literal.getOrDefault(head.path(), List.of())) {
      if (answers(bound, head.method())) {
        exchange.routed(bound, NO_VALUES);
        return null;
      }
    }
    for (BoundRoute bound : patterns) {
      String[] values = bound.route().pattern().match(head.path());
      if (values != null && answers(bound, head.method())) {
        exchange.routed(bound, values);
        return null;
      }
    }
    String allowed = methodsOf(head.path());
    return allowed.isEmpty()
        ? Refusal.of(new HttpFault.NotFound("nothing is served at this path"))
        : Refusal.of(new HttpFault.MethodNotAllowed(allowed));
  }

  /** Every method some route has for the path, as a list; empty if there is none. */
  public String methodsOf(String path) {
    Set<String> allowed = new TreeSet<>();
    for (BoundRoute bound : literal.getOrDefault(path, List.of())) {
      allowed.add(bound.route().method());
    }
    for (BoundRoute bound : patterns) {
      if (bound.route().pattern().match(path) != null) {
        allowed.add(bound.route().method());
      }
    }
    return allowed.isEmpty() ? "" : list(allowed);
  }

  /** A closed set, because callers choose the method. */
  public static String methodLabel(String method) {
    return METHODS.contains(method) ? method : "other";
  }

  static int methodIndex(String label) {
    return LABELS.indexOf(label);
  }

  private static boolean answers(BoundRoute bound, String method) {
    String own = bound.route().method();
    return own.equals(method)
        || own.equals(Routes.ANY)
        || (own.equals("GET") && method.equals("HEAD"));
  }

  private static String list(Set<String> methods) {
    if (methods.remove(Routes.ANY)) {
      methods.addAll(METHODS);
    }
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    return String.join(", ", methods);
  }
}
