package dev.ron.journal;

import java.io.IOException;
import java.io.InputStream;

/**
 * A snapshot whose bytes were right when it was looked at.
 *
 * @param position the state holds every record before this one
 * @param source opens it; each byte is checked again while it is read, and {@link JournalException}
 *     says if one is wrong
 */
public record StoredSnapshot(long position, Source source) {
  /** Where the bytes come from. */
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }

  public InputStream open() throws IOException {
    return source.open();
  }
}
