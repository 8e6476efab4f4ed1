package dev.ron.storage.s3.cors;

import java.util.List;
import java.util.Locale;

/**
 * Which origins may use which methods and fields.
 *
 * <p>Threading: immutable.
 *
 * @param origins each with one {@code *} at most
 * @param headers in lower case, each with one {@code *} at most
 * @param exposed fields of the answer that a page may read
 * @param maxAgeSeconds how long a preflight counts; negative if the rule does not say
 */
record CorsRule(
    List<String> origins,
    List<String> methods,
    List<String> headers,
    List<String> exposed,
    long maxAgeSeconds) {
  CorsRule {
    origins = List.copyOf(origins);
    methods = List.copyOf(methods);
    headers = headers.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList();
    exposed = List.copyOf(exposed);
  }

  /**
   * @param asked fields that a page wants to send, in any case
   */
  boolean allows(String origin, String method, List<String> asked) {
    return methods.contains(method)
        && origins.stream().anyMatch(each -> fits(each, origin))
        && asked.stream()
            .map(each -> each.toLowerCase(Locale.ROOT))
            .allMatch(each -> headers.stream().anyMatch(header -> fits(header, each)));
  }

  boolean isForAll() {
    return origins.contains("*");
  }

  private static boolean fits(String rule, String value) {
    int star = rule.indexOf('*');
    return star < 0
        ? rule.equals(value)
        : value.length() >= rule.length() - 1
            && value.startsWith(rule.substring(0, star))
            && value.endsWith(rule.substring(star + 1));
  }
}
