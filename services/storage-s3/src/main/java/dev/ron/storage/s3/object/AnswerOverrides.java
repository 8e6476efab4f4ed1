package dev.ron.storage.s3.object;

import dev.ron.http.Headers;
import dev.ron.storage.s3.api.S3Call;
import java.util.Map;

/**
 * Fields of an answer that a signed request chooses by its parameters.
 *
 * <p>Threading: stateless.
 */
final class AnswerOverrides {
  private static final Map<String, String> FIELDS =
      Map.of(
          "response-content-type", "Content-Type",
          "response-content-language", "Content-Language",
          "response-expires", "Expires",
          "response-cache-control", "Cache-Control",
          "response-content-disposition", "Content-Disposition",
          "response-content-encoding", "Content-Encoding");

  private AnswerOverrides() {}

  static boolean isGiven(S3Call call) {
    return FIELDS.keySet().stream().anyMatch(call.query()::has);
  }

  static void apply(S3Call call, Headers headers) {
    FIELDS.forEach(
        (parameter, field) ->
            call.query()
                .value(parameter)
                .filter(value -> value.chars().allMatch(c -> c >= ' ' && c < 0x7f))
                .ifPresent(value -> headers.set(field, value)));
  }
}
