package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, pulled piece by piece: nothing is read from the peer before the handler
 * asks for it.
 *
 * <p>A blocking handler reads {@link #stream()} or {@link #collect}; an inline handler gives a
 * {@link BodyReader}.
 *
 * <p>Threading: state owned by the event loop; {@code stream} and {@code collect} cross over from
 * the handler's virtual thread.
 */
public final class RequestBody {
  private final Exchange exchange;
  private final ExchangeWire wire;
  private long bytesMax;
  private @Nullable BodyReader reader;

  /** Set before the handler's thread begins, and taken away on the loop. */
  private volatile @Nullable GatheredBody gathered;

  private Decoders.@Nullable Decoder decoder;
  private boolean isDecoded;

  /** What a decoder made of one piece of the wire, or what was gathered; their caps bound it. */
  private final ArrayDeque<ByteBuf> decoded = new ArrayDeque<>(0);

  private boolean wanted;
  private boolean discarded;
  private boolean wireEnded;
  private boolean endTold;
  private @Nullable Headers trailers;
  private @Nullable Refusal failure;
  private long bytes;
  private long discardedBytes;

  RequestBody(Exchange exchange, ExchangeWire wire, long bytesMax) {
    this.exchange = exchange;
    this.wire = wire;
    this.bytesMax = bytesMax;
  }

  /** Pushes the body to a reader on the event loop; the first piece is asked for at once. */
  public void read(BodyReader to) {
    GatheredBody begun = gathered;
    if (reader != null && reader != begun) {
      throw new IllegalStateException("the body has a reader already");
    }
    reader = to;
    gathered = null;
    Refusal failed = failure;
    if (failed != null) {
      to.failed(failed);
    } else if (begun == null) {
      more();
    } else {
      goOnFrom(begun);
    }
  }

  /** What was gathered comes first; its end, if it came, is told when it is asked for. */
  private void goOnFrom(GatheredBody begun) {
    endTold = false;
    decoded.addAll(begun.soFar());
    more();
  }

  /**
   * Takes a small body before the handler asks for it. A peer that waits to be told to go on is
   * left waiting for the handler, and what has to be decoded is the handler's to begin.
   */
  void gather() {
    if (reader == null && decoder == null && exchange.headers().first("Expect") == null) {
      long length = exchange.head().bodyLength();
      var begun = new GatheredBody(this, length > 0 ? (int) Math.min(length, 1 << 20) : 512);
      gathered = begun;
      reader = begun;
      more();
    }
  }

  /** Asks for one more piece; on the event loop. */
  public void more() {
    wanted = true;
    if (wireEnded || !decoded.isEmpty()) {
      hand();
    } else {
      wire.pull();
    }
  }

  /** The whole body on the event loop, for an inline handler; a failure has been answered. */
  public void collect(int collectedBytesMax, Consumer<byte[]> whole) {
    read(new Collected(this, collectedBytesMax, whole));
  }

  /** The body as a stream, for a blocking handler. */
  public InputStream stream() {
    return new PulledStream(exchange, this);
  }

  /** The whole body, for a blocking handler, or a refusal if it is longer than that. */
  public byte[] collect(int collectedBytesMax) throws IOException {
    GatheredBody begun = gathered;
    byte[] whole = begun == null ? null : begun.whole();
    if (whole != null && whole.length <= collectedBytesMax) {
      return whole;
    }
    try (InputStream in = stream()) {
      byte[] all = in.readNBytes(collectedBytesMax);
      if (all.length == collectedBytesMax && in.read() >= 0) {
        throw Refusal.of(new HttpFault.BodyCap(collectedBytesMax));
      }
      return all;
    }
  }

  /** The trailers, once the end has been read. */
  public @Nullable Headers trailers() {
    return trailers;
  }

  /** Another cap on the wire's bytes than the route's; before the body is read. */
  public void bytesMax(long max) {
    bytesMax = max;
  }

  public long bytesMax() {
    return bytesMax;
  }

  public void decodedBy(Decoders.Decoder by) {
    decoder = by;
    isDecoded = true;
  }

  /**
   * True if what is read here is not what the peer sent: its length is not the announced one, and
   * its coding is off. Only this knows; the fields of the head do not say what was done about them.
   */
  public boolean isDecoded() {
    return isDecoded;
  }

  public boolean wanted() {
    return wanted || discarded;
  }

  public long discardedBytes() {
    return discardedBytes;
  }

  public long bytes() {
    return bytes;
  }

  /** The answer is out and the handler reads no more: what still comes is thrown away. */
  void discard() {
    discarded = true;
    letGo();
  }

  /** A piece from the wire, after {@link #wanted()}. */
  public void deliver(ByteBuf piece) {
    bytes += piece.readableBytes();
    exchange.received(piece.readableBytes());
    if (discarded || reader == null) {
      discardedBytes += piece.readableBytes();
      piece.release();
    } else if (bytes > bytesMax) {
      piece.release();
      fail(Refusal.of(new HttpFault.BodyCap(bytesMax)));
    } else if (decoder == null) {
      wanted = false;
      reader.piece(piece);
    } else {
      decode(decoder, piece);
    }
  }

  public void end(Headers last) {
    wireEnded = true;
    trailers = last;
    if (decoder != null && !discarded) {
      try {
        decoder.end(decoded::add);
      } catch (Refusal refusal) {
        fail(refusal);
      }
    }
    hand();
  }

  /** The body cannot become complete; tells the reader, or answers if there is none. */
  public void fail(Refusal refusal) {
    if (endTold || failure != null) {
      return;
    }
    failure = refusal;
    letGo();
    wire.closeAfterAnswer();
    if (reader != null && !discarded) {
      reader.failed(refusal);
    } else {
      exchange.answer(Answer.problem(refusal));
    }
  }

  private void decode(Decoders.Decoder by, ByteBuf piece) {
    try {
      by.decode(piece, decoded::add);
    } catch (Refusal refusal) {
      fail(refusal);
    } finally {
      piece.release();
    }
    hand();
  }

  /** Gives the reader what it asked for, if that is there. */
  private void hand() {
    if (!wanted || reader == null || discarded || failure != null) {
      return;
    }
    ByteBuf next = decoded.poll();
    if (next != null) {
      wanted = false;
      reader.piece(next);
    } else if (wireEnded && !endTold) {
      endTold = true;
      letGo();
      reader.end(trailers == null ? new Headers(1) : trailers);
    }
  }

  private void letGo() {
    decoded.forEach(ByteBuf::release);
    decoded.clear();
    if (decoder != null) {
      decoder.close();
      decoder = null;
    }
  }

  /** Gathers pieces until the end. */
  private record Collected(
      RequestBody body, ByteArrayOutputStream gathered, int bytesMax, Consumer<byte[]> whole)
      implements BodyReader {
    Collected(RequestBody body, int bytesMax, Consumer<byte[]> whole) {
      this(body, new ByteArrayOutputStream(), bytesMax, whole);
    }

    @Override
    public void piece(ByteBuf bytes) {
      try {
        if (gathered.size() + bytes.readableBytes() > bytesMax) {
          body.exchange.answer(Answer.problem(new HttpFault.BodyCap(bytesMax)));
          return;
        }
        bytes.readBytes(gathered, bytes.readableBytes());
      } catch (IOException e) {
        throw new IllegalStateException("writing to memory", e);
      } finally {
        bytes.release();
      }
      body.more();
    }

    @Override
    public void end(Headers trailers) {
      whole.accept(gathered.toByteArray());
    }

    @Override
    public void failed(Refusal refusal) {
      body.exchange.answer(Answer.problem(refusal));
    }
  }
}
