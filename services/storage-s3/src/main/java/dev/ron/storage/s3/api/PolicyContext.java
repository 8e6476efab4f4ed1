package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import dev.ron.storage.s3.policy.ConditionKey;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request has of the keys that the conditions of policies ask about.
 *
 * <p>The address is that of the connection's peer; no field of the request can say another.
 *
 * <p>Threading: owned by the request's thread.
 *
 * @param resource what the policy is asked about
 * @param existing the version of it; null if there is none
 */
record PolicyContext(S3Call call, S3Resource resource, @Nullable ObjectVersion existing) {

  Optional<String> value(ConditionKey key) {
    return switch (key.name()) {
      case ConditionKey.SOURCE_IP -> address();
      case ConditionKey.EXISTING_TAG ->
          existing == null ? Optional.empty() : tag(existing.tags(), key);
      case ConditionKey.REQUEST_TAG -> tag(requestTags(), key);
      case "s3:prefix" -> prefix();
      case "s3:delimiter" -> call.query().value("delimiter");
      case "s3:max-keys" -> call.query().value("max-keys");
      case "s3:versionid" -> Optional.of(resource.version().text()).filter(text -> !text.isEmpty());
      case "aws:referer" -> call.field("Referer");
      case "aws:useragent" -> call.field("User-Agent");
      case "aws:securetransport" -> Optional.of(Boolean.toString(call.isSecure()));
      case "s3:" + S3Call.COPY_SOURCE -> call.field(S3Call.COPY_SOURCE).map(PolicyContext::source);
      default -> call.field(key.name().substring("s3:".length()));
    };
  }

  /**
   * What a listing asks for; who asks for a key that is not there is told as by a listing of it.
   */
  private Optional<String> prefix() {
    return resource.key() == null
        ? call.query().value("prefix").or(() -> Optional.of(""))
        : Optional.of(resource.key().toString());
  }

  private Optional<String> address() {
    return call.exchange().peer() instanceof InetSocketAddress peer && peer.getAddress() != null
        ? Optional.of(peer.getAddress().getHostAddress().replaceFirst("%.*", ""))
        : Optional.empty();
  }

  /** One that cannot be read is refused later, and fits no name. */
  private static String source(String field) {
    try {
      return new String(S3Call.copyPath(field), UTF_8);
    } catch (Refusal _) {
      return "";
    }
  }

  private static Optional<String> tag(List<Pair> tags, ConditionKey key) {
    return tags.stream().filter(tag -> tag.name().equals(key.tag())).map(Pair::value).findFirst();
  }

  /** Those of the field; what cannot be read there is refused later, and fits no condition. */
  private List<Pair> requestTags() {
    var tags = new ArrayList<Pair>();
    String field = call.header("x-amz-tagging");
    try {
      for (S3Query.Parameter each : S3Query.form(field == null ? "" : field).parameters()) {
        tags.add(new Pair(each.name(), each.value()));
      }
    } catch (Refusal _) {
      return List.of();
    }
    return tags;
  }
}
