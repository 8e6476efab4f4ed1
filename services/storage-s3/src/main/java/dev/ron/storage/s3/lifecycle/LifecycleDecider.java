package dev.ron.storage.s3.lifecycle;

import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import java.util.List;
import java.util.Optional;

/**
 * What the rules of a bucket delete at a time. Pure: the same rules, versions and time lead to the
 * same.
 *
 * <p>Threading: immutable.
 */
record LifecycleDecider(List<LifecycleRule> rules, LifecycleDay day) {
  LifecycleDecider {
    rules = rules.stream().filter(LifecycleRule::enabled).toList();
  }

  /** When and by which rule an object goes. */
  record Expiration(long atMillis, String rule) {}

  /** Empty if no rule is about it. */
  Optional<Expiration> current(ObjectKey key, ObjectVersion version) {
    Expiration first = null;
    for (LifecycleRule rule : rules) {
      if ((rule.days() > 0 || rule.dateMillis() > 0) && rule.filter().fits(key, version)) {
        long at =
            rule.days() > 0 ? day.after(version.modifiedMillis(), rule.days()) : rule.dateMillis();
        if (first == null || at < first.atMillis()) {
          first = new Expiration(at, rule.id());
        }
      }
    }
    return Optional.ofNullable(first);
  }

  /** Whether the current version goes; where versions are kept, behind a marker. */
  boolean expires(ObjectKey key, ObjectVersion version, long nowMillis) {
    return current(key, version).filter(found -> found.atMillis() <= nowMillis).isPresent();
  }

  /** Whether a delete marker goes that is all that is left of its key. */
  boolean expiresMarker(ObjectKey key, ObjectVersion marker, long nowMillis) {
    return expires(key, marker, nowMillis)
        || rules.stream().anyMatch(rule -> rule.expiredMarker() && rule.filter().fits(key, marker));
  }

  /**
   * Whether a version goes that is not current.
   *
   * @param sinceMillis when a newer one took its place
   * @param newer how many versions that are not current are newer
   */
  boolean expiresNoncurrent(
      ObjectKey key, ObjectVersion version, long sinceMillis, int newer, long nowMillis) {
    return rules.stream()
        .anyMatch(
            rule ->
                rule.noncurrentDays() > 0
                    && newer >= rule.newerNoncurrent()
                    && rule.filter().fits(key, version)
                    && day.after(sinceMillis, rule.noncurrentDays()) <= nowMillis);
  }

  boolean aborts(ObjectKey key, MultipartUpload upload, long nowMillis) {
    return rules.stream()
        .anyMatch(
            rule ->
                rule.uploadDays() > 0
                    && rule.filter().fits(key)
                    && day.after(upload.begunMillis(), rule.uploadDays()) <= nowMillis);
  }
}
