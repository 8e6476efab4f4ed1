/**
 * The storage as S3 clients see it: buckets and names over blocks that are kept by their content.
 *
 * <pre>
 * the wiring: every task and door, in start order ..... StorageS3Service
 * settings ............................................ StorageS3Config
 * metric names ........................................ StorageS3Metrics
 * what is refused, by the codes that clients know ..... S3Fault
 * every operation, one line each ...................... S3OperationTable
 * the settings among them that are one document ....... S3SettingTable
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3;

import org.jspecify.annotations.NullMarked;
