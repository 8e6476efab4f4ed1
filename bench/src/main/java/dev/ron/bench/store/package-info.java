/**
 * Durable bytes: flushes, the content store, the storage service and its repair.
 *
 * <pre>
 * flush of a small append ............ FlushBenchmark
 * what fio reports ................... FioReport
 * content store beside files ......... ContentBenchmark
 * durable puts by many ............... ContentPuts
 * opening a large store .............. ContentStartMain
 * content store behind HTTP .......... ContentTargetMain
 * storage beside nginx and S3Proxy ... StorageBenchmark
 * storage or S3Proxy, running ........ StorageServer
 * our storage, its process ........... StorageTargetMain
 * stores new objects as a side ....... PutSide
 * reads while repair runs ............ RepairBenchmark
 * one of its two nodes ............... RepairTargetMain
 * </pre>
 */
@NullMarked
package dev.ron.bench.store;

import org.jspecify.annotations.NullMarked;
