package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Query;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tags of an object or a bucket, each name once.
 *
 * <p>Threading: stateless.
 */
public final class RequestTags {
  /** Of an object; a bucket may have more. */
  public static final int OBJECT_TAGS_MAX = 10;

  private static final int NAME_CHARS_MAX = 128;
  private static final int VALUE_CHARS_MAX = 256;

  private RequestTags() {}

  /** Those of {@code x-amz-tagging}, which are written as a query. */
  public static List<Pair> of(S3Call call) throws Refusal {
    String text = call.header("x-amz-tagging");
    if (text == null || text.isEmpty()) {
      return List.of();
    }
    var tags = new ArrayList<Pair>();
    try {
      for (S3Query.Parameter each : S3Query.form(text).parameters()) {
        tags.add(new Pair(each.name(), each.value()));
      }
    } catch (Refusal _) {
      throw Refusal.of(new S3Fault.InvalidArgument("x-amz-tagging cannot be read"));
    }
    S3Rights.requireCapability(call, S3Action.PUT_OBJECT_TAGS);
    return checked(tags, OBJECT_TAGS_MAX);
  }

  /**
   * The same tags in the order of their names, if they can be set.
   *
   * @param tagsMax how many there may be
   */
  public static List<Pair> checked(List<Pair> tags, int tagsMax) throws Refusal {
    if (tags.size() > tagsMax) {
      throw Refusal.of(new S3Fault.InvalidTag("there are up to " + tagsMax + " tags"));
    }
    Set<String> names = new HashSet<>();
    for (Pair tag : tags) {
      if (tag.name().isEmpty() || tag.name().length() > NAME_CHARS_MAX) {
        throw Refusal.of(
            new S3Fault.InvalidTag("the name of a tag has 1 to " + NAME_CHARS_MAX + " characters"));
      }
      if (tag.value().length() > VALUE_CHARS_MAX) {
        throw Refusal.of(
            new S3Fault.InvalidTag("a tag's value has up to " + VALUE_CHARS_MAX + " characters"));
      }
      if (!names.add(tag.name())) {
        throw Refusal.of(new S3Fault.InvalidTag("the tag " + tag.name() + " is there twice"));
      }
    }
    return tags.stream().sorted(Comparator.comparing(Pair::name)).toList();
  }
}
