/**
 * Measurements of the S3 door.
 *
 * <pre>
 * puts, reads, listings, starts ............. S3Benchmark
 * a server with the key pair it wants ....... S3Server
 * one connection of a client that signs ..... S3Line
 * S3Proxy ................................... S3ProxyPeer
 * very many names, a start with them ........ S3FillMain, S3StartMain
 * the public suite .......................... S3TestsBenchmark
 * what became of each of its tests .......... S3TestsReport
 * tests that are expected to fail ........... ExpectedFailures
 * our door in a process of its own .......... S3TargetMain
 * </pre>
 */
@NullMarked
package dev.ron.bench.s3;

import org.jspecify.annotations.NullMarked;
