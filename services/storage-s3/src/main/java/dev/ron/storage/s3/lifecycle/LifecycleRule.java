package dev.ron.storage.s3.lifecycle;

/**
 * What is deleted of the objects that a filter fits. What is 0 the rule does not say.
 *
 * <p>Threading: immutable.
 *
 * @param days after which the current version goes
 * @param dateMillis from when on the current version goes
 * @param expiredMarker whether a delete marker goes that hides nothing any more
 * @param noncurrentDays after which a version goes that is not current
 * @param newerNoncurrent how many such versions stay all the same
 * @param uploadDays after which an upload in parts is aborted
 */
record LifecycleRule(
    String id,
    boolean enabled,
    LifecycleFilter filter,
    int days,
    long dateMillis,
    boolean expiredMarker,
    int noncurrentDays,
    int newerNoncurrent,
    int uploadDays) {}
