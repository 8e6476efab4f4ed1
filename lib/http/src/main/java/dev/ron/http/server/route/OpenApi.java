package dev.ron.http.server.route;

import dev.ron.http.Problem;
import dev.ron.http.json.Json;
import dev.ron.http.json.Schema;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI 3.1 document of a route table, made once.
 *
 * <p>Threading: stateless.
 */
final class OpenApi {
  private static final int PROBLEMS_FROM = 400;

  /** What a {@link Problem} always has, and what it may have. */
  private record ProblemFields(
      String code, int status, String detail, String corrId, @Nullable Integer retryAfter) {}

  private static final Route.Content PROBLEM_CONTENT =
      new Route.Content(
          Problem.MEDIA_TYPE, new Schema(Map.of("$ref", "#/components/schemas/Problem")));

  private OpenApi() {}

  static String of(String service, String version, List<Route> own, List<Route> shared) {
    var paths = new LinkedHashMap<String, Map<String, Object>>();
    Stream.concat(own.stream(), shared.stream())
        .filter(route -> !route.method().equals(Routes.ANY))
        .forEach(
            route ->
                paths
                    .computeIfAbsent(
                        route.pattern().toString().replace("...}", "}"), _ -> new LinkedHashMap<>())
                    .put(route.method().toLowerCase(Locale.ROOT), operation(route)));
    var document = new LinkedHashMap<String, Object>();
    document.put("openapi", "3.1.0");
    var info = new LinkedHashMap<String, String>();
    info.put("title", service);
    info.put("version", version);
    document.put("info", info);
    document.put("paths", paths);
    document.put(
        "components", Map.of("schemas", Map.of("Problem", Schema.of(ProblemFields.class).json())));
    return new String(Json.plain().write(document), StandardCharsets.UTF_8);
  }

  private static Map<String, Object> operation(Route route) {
    var operation = new LinkedHashMap<String, Object>();
    operation.put("operationId", route.op());
    operation.put(
        "summary", route.docs().summary().isEmpty() ? route.op() : route.docs().summary());
    operation.put(
        "parameters",
        Stream.concat(
                route.pattern().names().stream().map(name -> param(route, name, "path")),
                route.docs().query().stream().map(name -> param(route, name, "query")))
            .toList());
    route
        .docs()
        .takes()
        .ifPresent(body -> operation.put("requestBody", Map.of("content", request(body))));
    var answers = new LinkedHashMap<String, Object>();
    Map<Integer, List<Route.Content>> documented =
        route.docs().answers().isEmpty() ? Map.of(200, List.of()) : route.docs().answers();
    documented.forEach((status, bodies) -> answers.put(status.toString(), answer(status, bodies)));
    operation.put("responses", answers);
    return operation;
  }

  private static Map<String, Object> answer(int status, List<Route.Content> bodies) {
    var answer = new LinkedHashMap<String, Object>();
    answer.put("description", HttpResponseStatus.valueOf(status).reasonPhrase());
    List<Route.Content> known =
        bodies.isEmpty() && status >= PROBLEMS_FROM ? List.of(PROBLEM_CONTENT) : bodies;
    var content = new LinkedHashMap<String, Object>();
    known.forEach(body -> content.put(body.mediaType(), Map.of("schema", body.schema().json())));
    if (!content.isEmpty()) {
      answer.put("content", content);
    }
    return answer;
  }

  /** With an example to send, made of the same schema. */
  private static Map<String, Object> request(Route.Content content) {
    var body = new LinkedHashMap<String, Object>();
    body.put("schema", content.schema().json());
    Object example = content.schema().example();
    if (example != null) {
      body.put("example", example);
    }
    return Map.of(content.mediaType(), body);
  }

  private static Map<String, Object> param(Route route, String name, String in) {
    var param = new LinkedHashMap<String, Object>();
    param.put("name", name);
    param.put("in", in);
    param.put("required", in.equals("path"));
    param.put("schema", Schema.TEXT.json());
    String example = route.docs().examples().get(name);
    if (example != null) {
      param.put("example", example);
    }
    return param;
  }
}
