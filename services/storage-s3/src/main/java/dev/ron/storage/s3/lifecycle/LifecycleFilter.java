package dev.ron.storage.s3.lifecycle;

import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Which objects a rule is about: those that all of it fits.
 *
 * <p>Threading: immutable.
 *
 * @param largerThanBytes negative asks nothing
 * @param smallerThanBytes negative asks nothing
 */
record LifecycleFilter(
    List<String> prefixes,
    List<ObjectVersion.Pair> tags,
    long largerThanBytes,
    long smallerThanBytes) {
  LifecycleFilter {
    prefixes = List.copyOf(prefixes);
    tags = List.copyOf(tags);
  }

  boolean fits(ObjectKey key) {
    return prefixes.stream()
        .allMatch(prefix -> key.startsWith(prefix.getBytes(StandardCharsets.UTF_8)));
  }

  /** A delete marker has neither tags nor a size, so rules that ask for them are not about it. */
  boolean fits(ObjectKey key, ObjectVersion version) {
    return fits(key)
        && version.tags().containsAll(tags)
        && (version.isMarker() ? !asksForBytes() : fits(version.sizeBytes()));
  }

  /** Whether only the key decides. */
  boolean asksForKeyAlone() {
    return tags.isEmpty() && !asksForBytes();
  }

  private boolean asksForBytes() {
    return largerThanBytes >= 0 || smallerThanBytes >= 0;
  }

  private boolean fits(long sizeBytes) {
    return (largerThanBytes < 0 || sizeBytes > largerThanBytes)
        && (smallerThanBytes < 0 || sizeBytes < smallerThanBytes);
  }
}
