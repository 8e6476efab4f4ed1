package dev.ron.http.server.connection;

import java.time.Instant;

/** Something with timeouts; looked at every tick of its event loop. */
public interface TimeoutSweep {
  /**
   * Ends what has run out of time.
   *
   * @return when to look again: {@code now} to watch for progress, {@link Instant#MAX} for no
   *     timeout
   */
  Instant sweep(Instant now);
}
