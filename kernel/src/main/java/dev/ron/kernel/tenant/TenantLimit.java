package dev.ron.kernel.tenant;

import java.util.List;
import java.util.Locale;

/** What a tenant can be held to. Its word is the key in the configuration. */
public enum TenantLimit {
  REQUESTS_PER_SECOND,
  BYTES_IN_PER_SECOND,
  BYTES_OUT_PER_SECOND,
  IN_FLIGHT,
  CONNECTIONS,
  /** Bytes in storage, those of S3 included. */
  STORED,
  /** Bytes in the mailbox, those of SQS included. */
  QUEUED,
  /** Bytes at the edge. */
  CACHED,
  /** Epochs at a time. */
  COMPUTE;

  /** What each door holds a tenant to by itself. */
  public static final List<TenantLimit> AT_DOORS =
      List.of(
          REQUESTS_PER_SECOND, BYTES_IN_PER_SECOND, BYTES_OUT_PER_SECOND, IN_FLIGHT, CONNECTIONS);

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }
}
