package dev.ron.storage.s3.policy;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a policy is asked: whether this caller may do this with that.
 *
 * <p>Threading: as the source of its values.
 *
 * @param tenant null for a caller that shows no key
 * @param action without its {@code s3:}
 * @param resource the bucket, or the bucket and a key with a slash between
 * @param values what the request has of a key; empty if nothing
 */
public record PolicyRequest(
    @Nullable String tenant,
    String action,
    String resource,
    Function<ConditionKey, Optional<String>> values) {
  Optional<String> value(ConditionKey key) {
    return values.apply(key);
  }
}
