package dev.ron.kernel.metric;

import java.util.Locale;

/**
 * Counts acknowledged work for each tenant, exactly, for accounts; {@link Metrics} are for graphs.
 *
 * <p>Threading: thread-safe; never blocks, so it may be asked on an event loop.
 */
@FunctionalInterface
public interface Meter {
  /** Counts nothing. */
  Meter NONE = _ -> Account.NONE;

  /** The account of a tenant; the same one each time. */
  Account account(String tenant);

  /** What one tenant has used of one service. */
  @FunctionalInterface
  interface Account {
    Account NONE = (_, _) -> {};

    /**
     * @param units not negative: what was acknowledged is never taken back
     */
    void add(Unit unit, long units);
  }

  /** What is counted. Its word is part of accounts that were sealed, so it never changes. */
  enum Unit {
    REQUESTS,
    BYTES_IN,
    BYTES_OUT,
    MESSAGES_SENT,
    MESSAGES_RECEIVED,
    MESSAGES_ACKNOWLEDGED,
    MESSAGE_BYTES,
    S3_READS,
    S3_WRITES,
    S3_LISTS,
    S3_DELETES,
    CACHE_HITS,
    FILL_BYTES,
    OBJECT_BYTE_SECONDS,
    EPOCH_LINES,
    REFUSALS;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
      return word;
    }
  }
}
