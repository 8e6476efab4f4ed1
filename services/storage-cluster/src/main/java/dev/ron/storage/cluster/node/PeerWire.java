package dev.ron.storage.cluster.node;

import dev.ron.http.Headers;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The way to one other node: brings a request there and the answer back.
 *
 * <p>An {@code IOException} says that no answer came, whatever the node did.
 *
 * <p>Threading: thread-safe.
 */
public interface PeerWire {
  /** Where the node is. */
  String base();

  /**
   * @param path with its query
   */
  Reply send(String method, String path, byte[] body, Deadline until)
      throws IOException, InterruptedException;

  /**
   * Sends a body as it is read.
   *
   * @param sizeBytes negative if only its end will tell
   */
  Reply send(String method, String path, InputStream body, long sizeBytes, Deadline until)
      throws IOException, InterruptedException;

  /** An answer; closing it gives up what is left of its body. */
  record Reply(int status, Headers headers, InputStream body) implements AutoCloseable {
    /** The whole body, if it is no longer than that. */
    byte[] collect(int bytesMax) throws IOException {
      byte[] all = body.readNBytes(bytesMax);
      if (all.length == bytesMax && body.read() >= 0) {
        throw new IOException("an answer longer than " + bytesMax + " bytes");
      }
      return all;
    }

    @Nullable String header(String name) {
      return headers.first(name);
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  /** Makes the ways to all other nodes, and lets go of them in the end. */
  interface Wires extends AutoCloseable {
    PeerWire to(String url);

    @Override
    void close();
  }

  /** Makes the wires of one start of a node. */
  @FunctionalInterface
  interface Maker {
    Wires in(Scope scope) throws IOException;
  }
}
