package dev.ron.http.server;

import dev.ron.kernel.registry.RegistryJson;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The OpenAPI 3.1 document of a route table.
 *
 * <p>Threading: immutable.
 */
final class OpenApi {
  private OpenApi() {}

  static String of(String service, String version, List<Route> own, List<Route> shared) {
    Map<String, Map<String, Route>> paths = new LinkedHashMap<>();
    Stream.concat(own.stream(), shared.stream())
        .filter(route -> !route.method().equals(Routes.ANY))
        .forEach(
            route ->
                paths
                    .computeIfAbsent(
                        route.pattern().toString().replace("...}", "}"), _ -> new LinkedHashMap<>())
                    .put(route.method().toLowerCase(Locale.ROOT), route));
    return "{\"openapi\":\"3.1.0\",\"info\":{\"title\":%s,\"version\":%s},\"paths\":%s}"
        .formatted(
            RegistryJson.quoted(service),
            RegistryJson.quoted(version),
            object(paths, (methods) -> object(methods, OpenApi::operation)));
  }

  private static String operation(Route route) {
    Stream<String> params =
        Stream.concat(
            route.pattern().names().stream().map(name -> param(name, "path", true)),
            route.queryParams().stream().map(name -> param(name, "query", false)));
    String answers =
        route.statuses().stream()
            .map(
                status ->
                    "\"%d\":{\"description\":%s}"
                        .formatted(
                            status,
                            RegistryJson.quoted(HttpResponseStatus.valueOf(status).reasonPhrase())))
            .collect(Collectors.joining(",", "{", "}"));
    return "{\"operationId\":%s,\"summary\":%s,\"parameters\":%s,\"responses\":%s}"
        .formatted(
            RegistryJson.quoted(route.op()),
            RegistryJson.quoted(route.summary()),
            params.collect(Collectors.joining(",", "[", "]")),
            answers);
  }

  private static String param(String name, String in, boolean required) {
    return "{\"name\":%s,\"in\":\"%s\",\"required\":%s,\"schema\":{\"type\":\"string\"}}"
        .formatted(RegistryJson.quoted(name), in, required);
  }

  private static <T> String object(
      Map<String, T> map, java.util.function.Function<T, String> value) {
    return map.entrySet().stream()
        .map(e -> RegistryJson.quoted(e.getKey()) + ":" + value.apply(e.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
