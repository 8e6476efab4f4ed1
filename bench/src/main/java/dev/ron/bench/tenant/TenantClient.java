package dev.ron.bench.tenant;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.bench.load.LoopbackConnection;
import java.io.Closeable;
import java.io.IOException;

/**
 * One kept connection of a tenant, with one request at a time.
 *
 * <p>Threading: owned by one thread.
 */
final class TenantClient implements Closeable {
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  private final LoopbackConnection wire;
  private final TenantRequest request;
  private long count;

  /**
   * @param first of its counts; no other client of the same tenant may come to one of them
   */
  TenantClient(int port, TenantRequest request, long first) throws IOException {
    this.wire = new LoopbackConnection(port);
    this.request = request;
    this.count = first;
  }

  /** Whether it was answered; false if the server asked to come again. Else it is a failure. */
  boolean ask() throws IOException {
    wire.write(request.bytes(count++));
    String status = wire.line();
    int length = 0;
    for (String field = wire.line(); !field.isEmpty(); field = wire.line()) {
      if (field.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(field.substring(15).strip());
      } else if (field.regionMatches(true, 0, "transfer-encoding:", 0, 18)) {
        throw new IOException("an answer without a length");
      }
    }
    String body = new String(wire.bytes(length), ISO_8859_1);
    int code = Integer.parseInt(status.substring(9, 12));
    if (code == TOO_MANY || code == UNAVAILABLE) {
      return false;
    }
    if (code / 100 != 2) {
      throw new IOException("answered " + status + ": " + body);
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
