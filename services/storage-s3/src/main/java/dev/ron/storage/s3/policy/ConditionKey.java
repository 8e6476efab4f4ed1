package dev.ron.storage.s3.policy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a condition asks about, in lower case but for the name of a tag.
 *
 * <p>Only what a request can be asked for here; a policy with any other is refused, since a
 * condition that is never looked at would allow or deny at random.
 *
 * <p>Threading: immutable.
 *
 * @param name as in {@code s3:prefix}
 * @param tag the name of a tag; empty for all other keys
 */
public record ConditionKey(String name, String tag) {
  public static final String SOURCE_IP = "aws:sourceip";
  public static final String EXISTING_TAG = "s3:existingobjecttag";
  public static final String REQUEST_TAG = "s3:requestobjecttag";

  /** Fields of a request, each the key {@code s3:} and its name. */
  public static final List<String> FIELDS =
      List.of(
          "x-amz-acl",
          "x-amz-copy-source",
          "x-amz-grant-full-control",
          "x-amz-grant-read",
          "x-amz-grant-read-acp",
          "x-amz-grant-write",
          "x-amz-grant-write-acp",
          "x-amz-metadata-directive",
          "x-amz-server-side-encryption",
          "x-amz-server-side-encryption-aws-kms-key-id",
          "x-amz-server-side-encryption-customer-algorithm",
          "x-amz-storage-class");

  private static final Set<String> OTHERS =
      Set.of(
          "s3:prefix",
          "s3:delimiter",
          "s3:max-keys",
          "s3:versionid",
          "aws:referer",
          "aws:useragent",
          "aws:securetransport",
          SOURCE_IP);

  /** Empty if requests are not asked for it here. */
  static Optional<ConditionKey> parse(String text) {
    int slash = text.indexOf('/');
    String name = (slash < 0 ? text : text.substring(0, slash)).toLowerCase(Locale.ROOT);
    if (slash < 0) {
      boolean field = name.startsWith("s3:") && FIELDS.contains(name.substring(3));
      return field || OTHERS.contains(name)
          ? Optional.of(new ConditionKey(name, ""))
          : Optional.empty();
    }
    String tag = text.substring(slash + 1);
    boolean tagged = name.equals(EXISTING_TAG) || name.equals(REQUEST_TAG);
    return tagged && !tag.isEmpty() ? Optional.of(new ConditionKey(name, tag)) : Optional.empty();
  }
}
