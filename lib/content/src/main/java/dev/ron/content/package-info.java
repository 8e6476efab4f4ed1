/**
 * Bytes under the hash of themselves: {@link dev.ron.content.ContentStore} and what keeps it.
 *
 * <ul>
 *   <li>the interface: {@code ContentStore}, {@code ContentReader}, {@code ContentStat}, {@code
 *       Space}, {@code FileRegion}, {@code OpenRegion}, {@code PutResult}, {@code OpenResult},
 *       {@code DeleteResult}, {@code ContentFault}
 *   <li>stores: {@code SegmentStore} (on disk), {@code MemoryStore} (amnesia)
 *   <li>elsewhere: {@code S3Store}, {@code S3Config}, {@code S3Credentials}, {@code S3Bucket},
 *       {@code S3Calls}, {@code S3Upload}, {@code S3Reads}, {@code S3Reader}, {@code S3Trouble},
 *       {@code Suspects}, {@code ContentUnavailable}
 *   <li>what a segment looks like: {@code Segment}, {@code RecordHeader}, {@code SegmentScan}
 *   <li>writing: {@code Intake}, {@code Lane}, {@code StreamedPut}, {@code GroupCommit}, {@code
 *       SharedBatch}, {@code Commit}
 *   <li>where things are: {@code Catalogue}, {@code AddressIndex}, {@code IndexShard}, {@code
 *       Entry}, {@code Segments}, {@code SegmentHandles}, {@code Lease}
 *   <li>counting: {@code ContentMetrics}, {@code StoreMeters}
 *   <li>reading: {@code SegmentReader}, {@code Verify}, {@code VerifiedGroups}
 *   <li>starting: {@code Recovery}, {@code Snapshot}
 *   <li>giving space back: {@code Housekeeping}, {@code Candidates}, {@code Compaction}
 * </ul>
 */
@NullMarked
package dev.ron.content;

import org.jspecify.annotations.NullMarked;
