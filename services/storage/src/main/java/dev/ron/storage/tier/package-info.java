/**
 * The cold tier: objects that have not been used for a while move to an S3 bucket and are read from
 * there.
 *
 * <pre>
 * settings of the bucket and of what stays .... TierConfig
 * cold tier and its task, wired ............... ColdTier
 * object store over disks and bucket .......... TieredStore
 * read that continues from the bucket ......... TierReader
 * task that moves cold objects ................ TierMover
 * objects used recently, in two generations ... RecentObjects
 * </pre>
 */
@NullMarked
package dev.ron.storage.tier;

import org.jspecify.annotations.NullMarked;
