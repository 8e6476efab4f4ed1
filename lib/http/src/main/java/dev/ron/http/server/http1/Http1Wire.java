package dev.ron.http.server.http1;

import dev.ron.http.Headers;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.ExchangeWire;
import dev.ron.http.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answering side of an HTTP/1.1 connection: one answer at a time, and whether another may
 * follow.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http1Wire implements ExchangeWire {
  private final ServerContext server;
  private final EventLoopContext loop;
  private final Http1Connection connection;
  private final Channel channel;
  private final Http1Output output;
  private final boolean sendsFiles;
  private boolean answerEnded;
  private boolean continueOwed;
  private boolean keepAlive = true;
  private long moves;

  Http1Wire(
      ServerContext server, EventLoopContext loop, Http1Connection connection, Channel channel) {
    this.server = server;
    this.loop = loop;
    this.connection = connection;
    this.channel = channel;
    this.output = new Http1Output(channel, loop);
    this.sendsFiles = channel.pipeline().get(SslHandler.class) == null;
  }

  /** Gets ready for the answer to a new request. */
  void begin(RequestHead head) {
    keepAlive = head.keepAlive() && !server.inflight().draining();
    answerEnded = false;
    continueOwed =
        head.hasBody()
            && head.protocol() == RequestHead.Protocol.HTTP_1_1
            && "100-continue".equalsIgnoreCase(head.headers().first("Expect"));
  }

  /** The body came without being asked for. */
  void bodyCame() {
    continueOwed = false;
  }

  /** Changes with every piece of the answer. */
  long moves() {
    return moves;
  }

  boolean answerEnded() {
    return answerEnded;
  }

  boolean keepAlive() {
    return keepAlive;
  }

  @Override
  public EventLoopContext loop() {
    return loop;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public void pull() {
    if (continueOwed) {
      continueOwed = false;
      output.continues();
    }
    loop.awake();
    connection.advance();
  }

  @Override
  public void whole(Exchange from, int status, Headers headers, byte[] body) {
    decideKeepAlive();
    keepAlive &= connection.takesRest();
    output.whole(from, status, headers, body, !keepAlive);
    answerSent();
  }

  @Override
  public void interim(int status, Headers headers) {
    moves++;
    output.interim(status, headers);
  }

  /** Sends something that a peer of HTTP/1.0 cannot tell from a slow answer. */
  void beginning() {
    moves++;
    output.beginning();
  }

  int begun() {
    return output.begun();
  }

  @Override
  public void head(Exchange from, int status, Headers headers, long length) {
    moves++;
    decideKeepAlive();
    keepAlive &= !Http1HeadWriter.endsWithConnection(from.head(), status, length);
    output.head(from, status, headers, length, !keepAlive);
  }

  /**
   * A peer that waits for 100 and gets an answer may or may not send the body, so the connection
   * cannot be kept.
   */
  private void decideKeepAlive() {
    keepAlive &= !continueOwed && !server.inflight().draining();
  }

  @Override
  public ChannelFuture data(ByteBuf bytes) {
    loop.awake();
    moves++;
    return output.data(bytes);
  }

  @Override
  public boolean sendsFiles() {
    return sendsFiles;
  }

  @Override
  public void files(Exchange from, int status, Headers headers, List<Body.Region> parts) {
    decideKeepAlive();
    output.files(from, status, headers, parts, !keepAlive);
  }

  @Override
  public void end(@Nullable Headers trailers) {
    if (!output.end(trailers)) {
      cut();
      return;
    }
    answerSent();
  }

  private void answerSent() {
    answerEnded = true;
    connection.flushSoon();
  }

  @Override
  public void cut() {
    channel.close();
  }

  @Override
  public boolean writable() {
    return channel.isWritable();
  }

  @Override
  public void closeAfterAnswer() {
    keepAlive = false;
  }

  @Override
  public void answered() {
    connection.answered();
  }

  @Override
  public void upgrade(Exchange from, Headers headers, Consumer<Channel> taker) {
    output.head(from, 101, headers, -1, false);
    channel.flush();
    answerEnded = true;
    connection.handOver(taker);
  }
}
