package dev.ron.http.server.exchange;

import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens decoders for content codings; the guard against bombs plugs in here.
 *
 * <p>Threading: thread-safe; each decoder is owned by one exchange's event loop.
 */
@FunctionalInterface
public interface Decoders {
  /** Takes no coded body at all. */
  Decoders NONE = _ -> null;

  /** Null if the coding is not taken here. */
  @Nullable Decoder open(String coding);

  /** Undoes a coding piece by piece, and refuses as soon as a cap is passed. */
  interface Decoder extends AutoCloseable {
    /** Reads all of {@code wire}, which stays the caller's; owners of {@code plain} release it. */
    void decode(ByteBuf wire, Consumer<ByteBuf> plain) throws Refusal;

    /** The wire's end; refuses a coding that is cut short. */
    void end(Consumer<ByteBuf> plain) throws Refusal;

    @Override
    void close();
  }
}
