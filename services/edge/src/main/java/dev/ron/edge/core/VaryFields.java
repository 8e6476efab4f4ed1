package dev.ron.edge.core;

import dev.ron.http.Headers;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The request fields that {@code Vary} named, with the values that chose an answer (RFC 9111
 * section 4.1), and those that the mount sends whether it is named or not.
 *
 * <p>Values are compared in a normal form: lines joined, blanks around commas dropped, and for
 * fields whose order and case mean nothing, sorted and in lower case; of {@code Accept-Encoding}
 * only the codings that are known count.
 *
 * <p>Threading: immutable.
 *
 * @param values by name in lower case; an absent field has an empty value
 * @param any {@code Vary: *}: nothing the request says is enough to choose it again
 */
public record VaryFields(Map<String, String> values, boolean any) {
  private static final VaryFields NONE = new VaryFields(Map.of(), false);
  private static final String ACCEPT_ENCODING = "accept-encoding";
  private static final Set<String> UNORDERED = Set.of("accept-language");

  public VaryFields {
    values = Map.copyOf(values);
  }

  public static VaryFields of(Headers answer, Headers request) {
    return of(answer, request, Set.of());
  }

  /**
   * @param keyed names that choose even where the answer does not say so
   */
  public static VaryFields of(Headers answer, Headers request, Set<String> keyed) {
    // An answer in a coding was chosen by what the client takes, said or not.
    boolean coded = answer.has("Content-Encoding");
    if (!answer.has("Vary") && keyed.isEmpty() && !coded) {
      return NONE;
    }
    var values = new LinkedHashMap<String, String>();
    keyed.forEach(name -> values.put(name, normal(name, request.all(name))));
    if (coded) {
      values.put(ACCEPT_ENCODING, normal(ACCEPT_ENCODING, request.all(ACCEPT_ENCODING)));
    }
    for (String line : answer.all("Vary")) {
      for (String member : line.split(",", -1)) {
        String name = member.strip().toLowerCase(Locale.ROOT);
        if (name.equals("*")) {
          return new VaryFields(Map.of(), true);
        }
        if (!name.isEmpty()) {
          values.put(name, normal(name, request.all(name)));
        }
      }
    }
    return new VaryFields(values, false);
  }

  /** Whether a request chooses the same answer. */
  public boolean match(Headers request) {
    if (any) {
      return false;
    }
    for (Map.Entry<String, String> field : values.entrySet()) {
      if (!field.getValue().equals(normal(field.getKey(), request.all(field.getKey())))) {
        return false;
      }
    }
    return true;
  }

  private static String normal(String name, List<String> lines) {
    if (lines.isEmpty()) {
      return "";
    }
    if (name.equals(ACCEPT_ENCODING)) {
      return RequestFields.codings(lines);
    }
    var members =
        Arrays.stream(String.join(",", lines).split(",", -1))
            .map(String::strip)
            .filter(member -> !member.isEmpty());
    if (UNORDERED.contains(name)) {
      members =
          members.map(member -> member.toLowerCase(Locale.ROOT).replaceAll("\\s", "")).sorted();
    }
    return members.collect(Collectors.joining(","));
  }
}
