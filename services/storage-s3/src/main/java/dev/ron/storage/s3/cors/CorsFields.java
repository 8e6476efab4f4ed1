package dev.ron.storage.s3.cors;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields that tell a browser what a page of another origin may do.
 *
 * <p>{@code Access-Control-Allow-Credentials} is never among them: keys of this door are in the
 * request, not in what a browser adds by itself.
 *
 * <p>Threading: immutable.
 */
public record CorsFields(NameView view) {
  private static final String METHOD = "Access-Control-Request-Method";
  private static final String HEADERS = "Access-Control-Request-Headers";
  private static final int HEADERS_MAX = 64;

  /** What the answer to a request says, whatever becomes of it; nothing if no rule fits. */
  public Headers of(String bucket, String method, Headers request) throws Refusal {
    String origin = request.first("Origin");
    if (origin == null) {
      return new Headers(1);
    }
    String asked = request.first(METHOD);
    Optional<CorsRule> rule =
        rules(bucket).flatMap(rules -> rules.of(origin, asked == null ? method : asked, List.of()));
    return rule.isEmpty() ? new Headers(1) : fields(rule.get(), origin);
  }

  /** The answer to a preflight, which no key signs: it reads nothing but the rules. */
  public Answer preflight(String bucket, Headers request) throws Refusal {
    String origin = request.first("Origin");
    String method = request.first(METHOD);
    if (origin == null || method == null) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "Insufficient information. Origin and " + METHOD + " request headers needed."));
    }
    List<String> asked = asked(request.first(HEADERS));
    CorsRule rule =
        rules(bucket)
            .flatMap(rules -> rules.of(origin, method, asked))
            .orElseThrow(
                () ->
                    Refusal.of(
                        new S3Fault.AccessDenied(
                            "CORSResponse: no rule of the bucket allows this request")));
    Headers fields = fields(rule, origin);
    if (!asked.isEmpty()) {
      fields.add("Access-Control-Allow-Headers", String.join(", ", asked));
    }
    if (rule.maxAgeSeconds() >= 0) {
      fields.add("Access-Control-Max-Age", Long.toString(rule.maxAgeSeconds()));
    }
    return new Answer(200, fields, Body.Bytes.NONE);
  }

  /**
   * What is not there has no rules, so that a preflight tells nothing of other tenants' buckets.
   */
  private Optional<CorsRules> rules(String bucket) throws Refusal {
    Optional<Bucket> found = BucketName.of(bucket).flatMap(view::bucket);
    return found.isEmpty()
        ? Optional.empty()
        : view.setting(found.get().id(), BucketSetting.CORS, CorsRules::read);
  }

  private static Headers fields(CorsRule rule, String origin) {
    var fields =
        new Headers(6)
            .add("Access-Control-Allow-Origin", rule.isForAll() ? "*" : origin)
            .add("Access-Control-Allow-Methods", String.join(", ", rule.methods()))
            .add("Vary", "Origin, " + HEADERS + ", " + METHOD);
    if (!rule.exposed().isEmpty()) {
      fields.add("Access-Control-Expose-Headers", String.join(", ", rule.exposed()));
    }
    return fields;
  }

  private static List<String> asked(@Nullable String text) throws Refusal {
    if (text == null || text.isBlank()) {
      return List.of();
    }
    List<String> names =
        Arrays.stream(text.split(",", HEADERS_MAX + 1)).map(String::strip).toList();
    if (names.size() > HEADERS_MAX) {
      throw Refusal.of(new S3Fault.InvalidRequest("more than " + HEADERS_MAX + " fields"));
    }
    return names;
  }
}
