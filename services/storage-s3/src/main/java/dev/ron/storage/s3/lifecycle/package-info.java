/**
 * What a bucket deletes by itself, by rules of its owner.
 *
 * <pre>
 * one rule ................................... LifecycleRule
 * which objects a rule is about .............. LifecycleFilter
 * reads and checks the rules ................. LifecycleReader
 * when a day of a rule has passed ............ LifecycleDay
 * what is deleted, decided .................... LifecycleDecider
 * deletes it, a piece at a time .............. LifecycleSweep
 * one walk over a bucket ..................... BucketSweep
 * when an object goes, as answers say it ..... ExpirationField
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.lifecycle;

import org.jspecify.annotations.NullMarked;
