/**
 * Segment files: the format of their records, appending, scanning, and which files are open.
 *
 * <pre>
 * one append-only file ......................... Segment
 * all segments and their open files ............ Segments
 * open file and channel of a segment ........... SegmentHandles
 * keeps a segment file open and undeleted ...... Lease
 * header of a record ........................... RecordHeader
 * walks the records of a segment ............... SegmentScan
 * append position that rolls to new segments ... AppendLane
 * disk exceptions as faults .................... DiskFailure
 * segment of a later build ..................... UnknownSegmentVersion
 * </pre>
 */
@NullMarked
package dev.ron.content.segment;

import org.jspecify.annotations.NullMarked;
