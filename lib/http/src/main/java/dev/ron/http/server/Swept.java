package dev.ron.http.server;

import java.time.Instant;

/** Something with timeouts; looked at every tick of its event loop. */
interface Swept {
  void sweep(Instant now);
}
