package dev.ron.ordered.rocks;

import dev.ron.ordered.OrderedSettings;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WriteOptions;

/**
 * The native objects that a store is opened and called with; they live as long as it does.
 *
 * <p>Threading: immutable; closed by the store, after the database.
 */
final class RocksOptions implements AutoCloseable {
  /** Twice RocksDB's default, for half the index entries: a listing reads whole blocks anyway. */
  private static final int BLOCK_BYTES = 8 << 10;

  /** Of an index or a filter, which are read and kept by pieces of this size. */
  private static final int METADATA_BYTES = 4 << 10;

  /** One in a hundred absent keys is looked for in vain. */
  private static final int FILTER_BITS = 10;

  /**
   * A file with this many deletes among so many neighbours is merged without waiting for its level
   * to fill, since a seek has to step over each of them.
   */
  private static final int DELETES_WINDOW = 4096;

  private static final int DELETES_TRIGGER = 2048;

  private static final long LOG_BYTES_MAX = 1 << 20;
  private static final long LOGS_KEPT = 2;

  private final Cache cache;
  private final BloomFilter filter = new BloomFilter(FILTER_BITS, false);
  private final TablePropertiesCollectorFactory deletes =
      TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
          DELETES_WINDOW, DELETES_TRIGGER, 0);
  private final Options options = new Options();
  private final ReadOptions reads = new ReadOptions();
  private final WriteOptions writes = new WriteOptions();
  private final FlushOptions flushes =
      new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true);
  private final FlushOptions flushesLater =
      new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true);

  RocksOptions(OrderedSettings settings) {
    cache = new LRUCache(settings.cacheBytes());
    // A batch that would wait is turned back, and the store decides.
    writes.setDisableWAL(true).setNoSlowdown(true);
    options
        .setCreateIfMissing(true)
        .setAtomicFlush(true)
        .setMaxBackgroundJobs(settings.backgroundJobs())
        .setMaxOpenFiles(settings.filesOpenMax())
        .setWriteBufferSize(settings.memtableBytes())
        .setMaxWriteBufferNumber(settings.memtablesMax())
        .setLevelCompactionDynamicLevelBytes(true)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        // A failed write of rows is final: the store seals itself, and its log has the batches.
        .setMaxBgErrorResumeCount(0)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(LOG_BYTES_MAX)
        .setKeepLogFileNum(LOGS_KEPT)
        .setStatsDumpPeriodSec(0)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(filter)
                // In pieces: the filter of a large file is larger than a shard of a small cache,
                // and would be read again by each look.
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(METADATA_BYTES)
                .setPinTopLevelIndexAndFilter(true)
                // In the cache, so that its size bounds them too.
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true));
    options.setTablePropertiesCollectorFactory(List.of(deletes));
  }

  Options options() {
    return options;
  }

  ReadOptions reads() {
    return reads;
  }

  WriteOptions writes() {
    return writes;
  }

  FlushOptions flushes() {
    return flushes;
  }

  /** Begins a flush and does not wait for it. */
  FlushOptions flushesLater() {
    return flushesLater;
  }

  @Override
  public void close() {
    flushesLater.close();
    flushes.close();
    writes.close();
    reads.close();
    options.close();
    deletes.close();
    filter.close();
    cache.close();
  }
}
