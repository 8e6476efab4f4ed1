package dev.ron.http.server.http2;

import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2RemoteFlowController;

/**
 * How much more the peer of a connection lets the server send.
 *
 * <p>Threading: owned by the connection's event loop.
 */
final class Http2Windows {
  private final Http2Connection connection;

  Http2Windows(Http2Connection connection) {
    this.connection = connection;
  }

  /** Both windows let a byte of that stream pass. */
  boolean open(int stream) {
    var found = connection.stream(stream);
    Http2RemoteFlowController flow = connection.remote().flowController();
    return found != null
        && flow.windowSize(found) > 0
        && flow.windowSize(connection.connectionStream()) > 0;
  }
}
