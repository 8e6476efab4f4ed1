package dev.ron.decode;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes up to two content codings off a body while counting what comes out, and stops at the first
 * byte too many.
 *
 * <p>Memory is one window for each coding and one chunk between two of them, whatever the body says
 * about itself; lengths in the body are never trusted. Every coding's output is held to both limits
 * against the bytes on the wire, so nesting buys an attacker nothing. Of a body that becomes larger
 * than {@link DecodeLimits#RATIO_WAITS_BYTES} the ratio is that of the bytes so far: one that
 * starts with more than {@code ratioMax * } its first bytes is refused even if its rest would make
 * up for it. A smaller one is judged at its end.
 *
 * <pre>
 * while (true)
 *   switch (decoder.step(in, last, out)) {
 *     case Produced _  -> use and clear out
 *     case NeedInput _ -> refill in; last when no more will come
 *     case End _       -> done
 *     case Refused(var fault) -> answer it
 *   }
 * </pre>
 *
 * <p>Threading: owned by one exchange. Close it: it holds native memory.
 */
public final class Decoder implements AutoCloseable {
  public static final int CODINGS_MAX = 2;

  /** Between two codings; one step of the inner one. */
  private static final int BETWEEN_BYTES = 16 * 1024;

  private final DecodeLimits limits;
  private final List<Link> links;
  private long wireBytes;
  private boolean sawLast;
  private boolean closed;
  private @Nullable DecodeStep over;

  private Decoder(DecodeLimits limits, List<Link> links) {
    this.limits = limits;
    this.links = links;
  }

  /** A decoder, or why there is none. */
  public sealed interface Opening {
    record Opened(Decoder decoder) implements Opening {}

    record Refused(DecodeFault fault) implements Opening {}
  }

  /** One coding, what it put out, and the chunk it reads from, which the first does not have. */
  private static final class Link {
    private final ContentCoding coding;
    private final DecodeStage stage;
    private final ByteBuffer chunk;
    private long bytes;
    private boolean complete;

    Link(ContentCoding coding, DecodeStage stage, ByteBuffer chunk) {
      this.coding = coding;
      this.stage = stage;
      this.chunk = chunk;
    }
  }

  /**
   * @param contentEncoding the lines of the field, none if it is absent; the last coding named was
   *     applied last and comes off first
   */
  public static Opening open(List<String> contentEncoding, DecodeLimits limits) {
    var codings = new ArrayList<ContentCoding>();
    for (String name : String.join(",", contentEncoding).split(",", -1)) {
      Optional<ContentCoding> coding = ContentCoding.of(name.strip());
      if (coding.isEmpty() && !name.isBlank()) {
        return new Opening.Refused(new DecodeFault.Unsupported("a content coding is not known"));
      }
      coding.filter(known -> known != ContentCoding.IDENTITY).ifPresent(codings::addFirst);
      if (codings.size() > CODINGS_MAX) {
        return new Opening.Refused(
            new DecodeFault.Unsupported("more than " + CODINGS_MAX + " content codings"));
      }
    }
    return open(codings.isEmpty() ? List.of(ContentCoding.IDENTITY) : codings, limits, List.of());
  }

  private static Opening open(List<ContentCoding> left, DecodeLimits limits, List<Link> opened) {
    if (left.isEmpty()) {
      return new Opening.Opened(new Decoder(limits, opened));
    }
    ContentCoding coding = left.getFirst();
    Optional<DecodeStage> stage =
        switch (coding) {
          case GZIP -> Optional.of(new GzipStage());
          case DEFLATE -> Optional.of(new DeflateStage());
          case ZSTD -> Optional.of(new ZstdStage(limits.windowBytesMax()));
          case BR -> BrotliStage.open(limits.windowBytesMax());
          case IDENTITY -> Optional.of(new PlainStage());
        };
    if (stage.isEmpty()) {
      opened.forEach(link -> link.stage.close());
      return new Opening.Refused(
          new DecodeFault.Unsupported(coding.token() + " cannot be decoded on this machine"));
    }
    var links = new ArrayList<>(opened);
    var chunk = ByteBuffer.allocate(opened.isEmpty() ? 0 : BETWEEN_BYTES);
    links.add(new Link(coding, stage.get(), chunk.limit(0)));
    return open(left.subList(1, left.size()), limits, List.copyOf(links));
  }

  /**
   * Takes from {@code in} what it can and puts into {@code out} what there is.
   *
   * @param last nothing comes after what {@code in} holds now
   */
  public DecodeStep step(ByteBuffer in, boolean last, ByteBuffer out) {
    if (closed || (sawLast && !last) || !out.hasRemaining()) {
      throw new IllegalStateException(
          "closed, or more after the last input, or no room for output");
    }
    sawLast = last;
    if (over != null) {
      return over;
    }
    int start = out.position();
    @Nullable DecodeFault fault = pump(links.size() - 1, in, out);
    if (fault != null) {
      out.position(start);
      return end(new DecodeStep.Refused(fault));
    }
    if (out.position() > start) {
      return new DecodeStep.Produced(out.position() - start);
    }
    if (!last) {
      return new DecodeStep.NeedInput();
    }
    for (Link link : links) {
      if (!link.complete) {
        return end(new DecodeStep.Refused(new DecodeFault.Malformed(link.coding, "cut short")));
      }
      if (isBeyondRatio(link)) {
        return end(new DecodeStep.Refused(new DecodeFault.DecodedRatio(limits.ratioMax())));
      }
    }
    return end(new DecodeStep.End());
  }

  /**
   * Fills {@code out} from one link, and its chunk from the link before it, until the output is
   * full or the input is used up.
   */
  private @Nullable DecodeFault pump(int index, ByteBuffer in, ByteBuffer out) {
    Link link = links.get(index);
    while (true) {
      ByteBuffer source = index == 0 ? in : link.chunk;
      int sourceBefore = source.position();
      int outBefore = out.position();
      DecodeStage.Flow flow = link.stage.pump(source, out);
      wireBytes += index == 0 ? source.position() - sourceBefore : 0;
      link.bytes += out.position() - outBefore;
      link.complete = flow == DecodeStage.Flow.DONE;
      @Nullable DecodeFault fault = judged(link, flow);
      if (fault != null || flow == DecodeStage.Flow.FULL || index == 0) {
        return fault;
      }
      link.chunk.clear();
      fault = pump(index - 1, in, link.chunk);
      link.chunk.flip();
      if (fault != null || !link.chunk.hasRemaining()) {
        return fault;
      }
    }
  }

  private @Nullable DecodeFault judged(Link link, DecodeStage.Flow flow) {
    if (link.bytes > limits.decodedBytesMax()) {
      return new DecodeFault.DecodedCap(limits.decodedBytesMax());
    }
    if (link.bytes > DecodeLimits.RATIO_WAITS_BYTES && isBeyondRatio(link)) {
      return new DecodeFault.DecodedRatio(limits.ratioMax());
    }
    return switch (flow) {
      case HUNGRY, FULL, DONE -> null;
      case BROKEN -> new DecodeFault.Malformed(link.coding, "damaged");
      case TRAILING -> new DecodeFault.Malformed(link.coding, "followed by other bytes");
      case WINDOW ->
          new DecodeFault.Unsupported(
              "%s with a window above %d bytes"
                  .formatted(link.coding.token(), limits.windowBytesMax()));
    };
  }

  private boolean isBeyondRatio(Link link) {
    return Math.ceilDiv(link.bytes, limits.ratioMax()) > wireBytes;
  }

  private DecodeStep end(DecodeStep step) {
    over = step;
    links.forEach(link -> link.stage.close());
    return step;
  }

  /** Frees the native memory; what {@link #step} already ended is free. */
  @Override
  public void close() {
    if (!closed && over == null) {
      links.forEach(link -> link.stage.close());
    }
    closed = true;
  }
}
