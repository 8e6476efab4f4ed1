/**
 * The `ron s3` commands: a client of S3 for people who have none, for a node of Ron and for any
 * other server.
 *
 * <pre>
 * ron s3 and its small commands ... S3Command
 * where the server is, who asks ... S3Options
 * ron s3 ls ....................... S3ListCommand
 * ron s3 cp ....................... S3CopyCommand
 * ron s3 sync ..................... S3SyncCommand
 * ron s3 mirror ................... S3MirrorCommand
 * one transfer, and its line ...... S3Transfers
 * names below a folder or prefix .. SyncSide
 * </pre>
 */
@NullMarked
package dev.ron.node.s3;

import org.jspecify.annotations.NullMarked;
