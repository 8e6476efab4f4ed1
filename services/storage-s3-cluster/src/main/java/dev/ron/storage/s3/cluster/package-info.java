/**
 * The S3 door on several machines: names agreed on by one log, blocks on all of them.
 *
 * <pre>
 * all parts, in start order ................... StorageS3ClusterService
 * what can be told ............................ StorageS3ClusterConfig
 * the log's commands into this machine's rows . NameReplica
 * changes of one machine, as an entry ......... NameBatch
 * brings changes into the log, once each ...... NameProposer
 * reads that see what was answered before ..... NameBarrier
 * rows that another machine's may replace ..... ReplicatedRows
 * rows on their way to another machine ........ RowTransfer
 * rows of a machine that was alone ............ AloneRows
 * deletes this machine's bytes of a block ..... BlockBurial
 * deletes that gone machines owe .............. FormerMachines
 * notes blocks that never got a name .......... OrphanNotes
 * work of the machine that leads .............. LeaderTask
 * records of other parts of a node ............ AgreedRecords
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.cluster;

import org.jspecify.annotations.NullMarked;
