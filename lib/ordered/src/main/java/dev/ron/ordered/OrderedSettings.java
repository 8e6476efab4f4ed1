package dev.ron.ordered;

/**
 * The limits of an ordered store on the disk.
 *
 * <p>All of it is native memory, outside the heap: cache, memtables, and 16 MiB for each background
 * job, which reads and writes ahead. Blocks under open cursors come on top, 8 KiB or a large value
 * for each file that a cursor is in, and so does what malloc does not give back.
 *
 * @param name in faults and thread names
 * @param cacheBytes blocks of files, and those parts of their indexes and filters that were used. A
 *     filter has 1.25 bytes a row: 100 million rows that are all asked for want 125 MB here
 * @param memtableBytes rows of this size are sorted in memory, then written as one file
 * @param memtablesMax when this many wait for the disk, batches wait too
 * @param backgroundJobs native threads that write and merge files
 * @param filesOpenMax file descriptors
 * @param cursorsMax cursors open at a time; more are refused
 */
public record OrderedSettings(
    String name,
    long cacheBytes,
    long memtableBytes,
    int memtablesMax,
    int backgroundJobs,
    int filesOpenMax,
    int cursorsMax) {
  public OrderedSettings {
    check(!name.isBlank(), "name", name);
    check(cacheBytes >= 1 << 20 && cacheBytes <= 1L << 40, "cache_bytes", cacheBytes);
    check(memtableBytes >= 64 << 10 && memtableBytes <= 1 << 30, "memtable_bytes", memtableBytes);
    check(memtablesMax >= 2 && memtablesMax <= 16, "memtables_max", memtablesMax);
    check(backgroundJobs >= 1 && backgroundJobs <= 64, "background_jobs", backgroundJobs);
    check(filesOpenMax >= 16 && filesOpenMax <= 1 << 20, "files_open_max", filesOpenMax);
    check(cursorsMax >= 1 && cursorsMax <= 1 << 16, "cursors_max", cursorsMax);
  }

  /** 256 MiB of cache, four memtables of 32 MiB, two threads: about 416 MiB of native memory. */
  public static OrderedSettings named(String name) {
    return new OrderedSettings(name, 256 << 20, 32 << 20, 4, 2, 512, 1024);
  }

  public OrderedSettings sized(long cache, long memtable, int memtables) {
    return new OrderedSettings(
        name, cache, memtable, memtables, backgroundJobs, filesOpenMax, cursorsMax);
  }

  private static void check(boolean right, String key, Object value) {
    if (!right) {
      throw new IllegalArgumentException("ordered." + key + " = " + value + " is out of range");
    }
  }
}
