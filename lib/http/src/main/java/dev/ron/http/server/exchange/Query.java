package dev.ron.http.server.exchange;

import dev.ron.http.Refusal;
import dev.ron.http.wire.NormalPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters after the question mark, in order.
 *
 * <p>Threading: immutable.
 */
public record Query(List<Param> params) {
  /** More than any route takes, few enough to be searched one by one. */
  private static final int PARAMS_MAX = 256;

  /** One {@code name=value}. */
  public record Param(String name, String value) {}

  public Query {
    params = List.copyOf(params);
  }

  static Query parse(@Nullable String text) throws Refusal {
    if (text == null || text.isEmpty()) {
      return new Query(List.of());
    }
    var params = new ArrayList<Param>();
    for (String pair : text.split("&", PARAMS_MAX + 1)) {
      if (params.size() == PARAMS_MAX) {
        throw Refusal.malformed("more than " + PARAMS_MAX + " query parameters");
      }
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        params.add(new Param(plain(name), plain(value)));
      }
    }
    return new Query(params);
  }

  /** The first value of that name. */
  public @Nullable String first(String name) {
    for (Param param : params) {
      if (param.name().equals(name)) {
        return param.value();
      }
    }
    return null;
  }

  private static String plain(String escaped) throws Refusal {
    return NormalPath.unescaped(escaped.replace('+', ' '));
  }
}
