package dev.ron.simulator;

import dev.ron.http.Headers;
import dev.ron.kernel.time.Deadline;
import dev.ron.storage.cluster.node.PeerWire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Passes everything on over a wire; a planted bug overrides what it breaks. */
class WrappedWire implements PeerWire {
  private final PeerWire real;

  WrappedWire(PeerWire real) {
    this.real = real;
  }

  /** An answer that was not asked for. */
  static Reply reply(int status, byte[] body) {
    return new Reply(status, new Headers(1), new ByteArrayInputStream(body));
  }

  @Override
  public String base() {
    return real.base();
  }

  @Override
  public Reply send(String method, String path, byte[] body, Deadline until)
      throws IOException, InterruptedException {
    return real.send(method, path, body, until);
  }

  @Override
  public Reply send(String method, String path, InputStream body, long sizeBytes, Deadline until)
      throws IOException, InterruptedException {
    return send(method, path, body.readAllBytes(), until);
  }
}
