package dev.ron.storage.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.storage.StorageMetrics;
import io.netty.buffer.ByteBuf;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes gzip and zstd bodies through other decoders, and counts those that are refused.
 *
 * <p>Threading: immutable; each decoder is owned by one exchange's event loop.
 */
public record CountedDecoders(Decoders inner, StorageMetrics metrics) implements Decoders {
  private static final Set<String> TAKEN = Set.of("gzip", "x-gzip", "zstd");

  @Override
  public @Nullable Decoder open(String coding) {
    Decoder decoder =
        TAKEN.contains(coding.strip().toLowerCase(Locale.ROOT)) ? inner.open(coding) : null;
    if (decoder == null) {
      metrics.decompressRejects().labelValues("unsupported").inc();
      return null;
    }
    return new CountedDecoder(decoder, metrics);
  }

  private record CountedDecoder(Decoder inner, StorageMetrics metrics) implements Decoder {
    @Override
    public void decode(ByteBuf wire, Consumer<ByteBuf> plain) throws Refusal {
      try {
        inner.decode(wire, plain);
      } catch (Refusal refusal) {
        throw counted(refusal);
      }
    }

    @Override
    public void end(Consumer<ByteBuf> plain) throws Refusal {
      try {
        inner.end(plain);
      } catch (Refusal refusal) {
        throw counted(refusal);
      }
    }

    private Refusal counted(Refusal refusal) {
      metrics.decompressRejects().labelValues(refusal.fault().code()).inc();
      return refusal;
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
