/**
 * All names as a deterministic state machine: commands in a log, rows in an ordered store.
 *
 * <pre>
 * how verbs change and read names ............ Names
 * the rows as nouns .......................... NameView
 * what a decision reads ...................... NameRows
 * a change, as the log keeps it .............. NameCommand
 * what becomes of it ......................... NameOutcome
 * rows to write and what to answer ........... NameDecision
 * from command and rows to a decision ........ NameMachine
 * decisions about buckets .................... BucketDecider
 * about objects and versions ................. ObjectDecider
 * about tags, grants and locks ............... AmendDecider
 * about uploads in parts ..................... UploadDecider
 * about blocks deleted on several machines ... BurialDecider
 * which blocks are needed .................... References
 * the only writer of names ................... NameLoop
 * a command on its way into the log .......... NameRequest
 * commands of a log into rows ................ NameApplier
 * rows with what was just decided ............ NameTable
 * what rows say, until they change ........... RowMemory
 * makes rows durable, lets go of the log ..... NameCheckpoint
 * the keys of all rows ....................... RowKeys
 * the nouns as bytes ......................... RowCodec
 * the commands as bytes ...................... NameCommandCodec
 * writes fields .............................. RowWriter
 * reads them ................................. RowReader
 * the byte of an enum's value ................ EnumCode
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.names;

import org.jspecify.annotations.NullMarked;
