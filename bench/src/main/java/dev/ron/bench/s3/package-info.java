/**
 * Measurements of the S3 door.
 *
 * <pre>
 * the public suite .......................... S3TestsBenchmark
 * what became of each of its tests .......... S3TestsReport
 * tests that are expected to fail ........... ExpectedFailures
 * our door in a process of its own .......... S3TargetMain
 * </pre>
 */
@NullMarked
package dev.ron.bench.s3;

import org.jspecify.annotations.NullMarked;
