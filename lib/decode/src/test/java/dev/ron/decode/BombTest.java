package dev.ron.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ron.testkit.SeedRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bodies of 512 MiB of zeros. zstd and br need some kilobytes for that; deflate cannot do better
 * than 1032:1, so its bomb has half a megabyte, and some kilobytes once it is packed again.
 */
class BombTest {
  private static final int MIB = 1 << 20;
  private static final int BOMB_MIB = 512;
  private static final int OUT_BYTES = 64 * 1024;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What came out before the refusal, and what the heap paid for it. */
  private record Cost(long producedBytes, long allocatedBytes, long consumedBytes, String code) {}

  @Test
  void theRatioStopsABombAtOnce() throws IOException {
    for (ContentCoding coding : Bodies.CODINGS) {
      Cost cost = cost(coding.token(), bomb(coding), DecodeLimits.capped(8 * MIB));
      assertThat(cost.code()).as("%s", coding).isEqualTo("decoded-ratio");
      // 64 KiB, and then no more than ten times what was read by then.
      assertThat(cost.producedBytes())
          .as("%s %s", coding, cost)
          .isLessThanOrEqualTo(OUT_BYTES + 10 * cost.consumedBytes());
      assertThat(cost.allocatedBytes()).as("%s %s", coding, cost).isLessThan(MIB);
    }
  }

  @Test
  @SeedRow("E39")
  void theCapStopsABombThatTheRatioWouldLetPass() throws IOException {
    var limits = new DecodeLimits(8 * MIB, Integer.MAX_VALUE, DecodeLimits.WINDOW_BYTES_DEFAULT);
    for (ContentCoding coding : Bodies.CODINGS) {
      Cost cost = cost(coding.token(), bomb(coding), limits);
      assertThat(cost.code()).as("%s", coding).isEqualTo("decoded-cap");
      assertThat(cost.producedBytes()).as("%s %s", coding, cost).isLessThanOrEqualTo(8 * MIB);
      assertThat(cost.producedBytes()).as("%s %s", coding, cost).isGreaterThan(8 * MIB - OUT_BYTES);
      assertThat(cost.allocatedBytes()).as("%s %s", coding, cost).isLessThan(MIB);
    }
  }

  @Test
  void nestingBuysNothing() throws IOException {
    for (ContentCoding inner : Bodies.CODINGS) {
      byte[] bomb = bomb(inner);
      for (ContentCoding outer : Bodies.CODINGS) {
        byte[] nested = Bodies.encoded(outer, bomb);
        assertThat(nested.length).as("%s in %s", inner, outer).isLessThan(20 * 1024);
        Cost cost = cost(inner.token() + "," + outer.token(), nested, DecodeLimits.capped(8 * MIB));
        assertThat(cost.code()).as("%s in %s", inner, outer).isEqualTo("decoded-ratio");
        assertThat(cost.producedBytes()).as("%s", cost).isLessThanOrEqualTo(4 * OUT_BYTES);
        assertThat(cost.allocatedBytes()).as("%s", cost).isLessThan(MIB);
      }
    }
  }

  /** The outer coding alone is over the cap, while the inner one never puts out a byte. */
  @Test
  void theCodingInTheMiddleIsHeldToTheCapToo() throws IOException {
    byte[] nothing = Bodies.encoded(ContentCoding.GZIP, new byte[0]);
    var members = new ByteArrayOutputStream();
    for (int i = 0; i < 60_000; i++) {
      members.writeBytes(nothing);
    }
    byte[] body = Bodies.encoded(ContentCoding.ZSTD, members.toByteArray());
    assertThat(cost("gzip, zstd", body, DecodeLimits.capped(8 * MIB)).code())
        .isEqualTo("decoded-ratio");
    var wide = new DecodeLimits(MIB, Integer.MAX_VALUE, DecodeLimits.WINDOW_BYTES_DEFAULT);
    assertThat(cost("gzip, zstd", body, wide).code()).isEqualTo("decoded-cap");
  }

  @Test
  void theLimitsAreExact() {
    for (ContentCoding coding : Bodies.CODINGS) {
      byte[] more = Bodies.encoded(coding, new byte[65_537]);
      var exact = new DecodeLimits(65_537, Integer.MAX_VALUE, 1 << 23);
      assertThat(cost(coding.token(), more, exact).code()).isEmpty();
      var oneLess = new DecodeLimits(65_536, Integer.MAX_VALUE, 1 << 23);
      assertThat(cost(coding.token(), more, oneLess).code()).isEqualTo("decoded-cap");
    }
    var ten = DecodeLimits.capped(10);
    assertThat(cost("identity", new byte[10], ten).code()).isEmpty();
    assertThat(cost("identity", new byte[11], ten).code()).isEqualTo("decoded-cap");
  }

  /** A small body too may become so many times larger and no more, however it arrives. */
  @Test
  @SeedRow("E39")
  void theRatioHoldsForSmallBodies() {
    for (ContentCoding coding : Bodies.CODINGS) {
      for (int bytes : new int[] {1000, 20_000, 65_536}) {
        byte[] body = Bodies.encoded(coding, new byte[bytes]);
        int ratio = Math.ceilDiv(bytes, body.length);
        var exact = new DecodeLimits(MIB, ratio, DecodeLimits.WINDOW_BYTES_DEFAULT);
        var oneLess = new DecodeLimits(MIB, ratio - 1, DecodeLimits.WINDOW_BYTES_DEFAULT);
        for (int in : new int[] {1, 7, body.length}) {
          assertThat(Bodies.decode(coding.token(), body, exact, in, 4096).fault()).isEmpty();
          assertThat(Bodies.decode(coding.token(), body, oneLess, in, 4096).fault())
              .as("%s of %d, %d at a time", coding, bytes, in)
              .startsWith("decoded-ratio");
        }
        assertThat(cost(coding.token(), body, DecodeLimits.capped(MIB)).code())
            .as("%s of %d", coding, bytes)
            .isEqualTo("decoded-ratio");
      }
    }
  }

  /** What begins with zeros and goes on with noise is judged as a whole while it is small. */
  @Test
  void aSmallBodyIsJudgedAtItsEnd() {
    byte[] plain = new byte[60_000];
    byte[] noise = new byte[10_000];
    new Random(1).nextBytes(noise);
    System.arraycopy(noise, 0, plain, 50_000, noise.length);
    for (ContentCoding coding : Bodies.CODINGS) {
      byte[] body = Bodies.encoded(coding, plain);
      assertThat(cost(coding.token(), body, DecodeLimits.capped(MIB)).code())
          .as("%s", coding)
          .isEmpty();
    }
  }

  /** Without limits each bomb is what it claims to be. */
  @Tag("long")
  @Test
  void theBombsAreReal() throws IOException {
    for (ContentCoding coding : Bodies.CODINGS) {
      Cost cost = cost(coding.token(), bomb(coding), Bodies.WIDE);
      assertThat(cost.code()).as("%s", coding).isEmpty();
      assertThat(cost.producedBytes()).as("%s", coding).isEqualTo((long) BOMB_MIB * MIB);
    }
  }

  private static Cost cost(String codings, byte[] body, DecodeLimits limits) {
    // Loads the classes and the native library, which is not the bomb's doing.
    decode(codings, Arrays.copyOf(body, Math.min(16, body.length)), limits);
    return decode(codings, body, limits);
  }

  private static Cost decode(String codings, byte[] body, DecodeLimits limits) {
    ByteBuffer in = ByteBuffer.wrap(body);
    ByteBuffer out = ByteBuffer.allocate(OUT_BYTES);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    if (!(Decoder.open(List.of(codings), limits) instanceof Decoder.Opening.Opened(var decoder))) {
      throw new AssertionError(codings + " is not supported here");
    }
    try (decoder) {
      long produced = 0;
      while (true) {
        in.limit(Math.min(body.length, in.position() + 4096));
        out.clear();
        switch (decoder.step(in, in.limit() == body.length, out)) {
          case DecodeStep.Produced(int bytes) -> produced += bytes;
          case DecodeStep.NeedInput _ -> {}
          case DecodeStep.End _ -> {
            return new Cost(produced, allocatedSince(before), in.position(), "");
          }
          case DecodeStep.Refused(var fault) -> {
            return new Cost(produced, allocatedSince(before), in.position(), fault.code());
          }
        }
      }
    }
  }

  private static long allocatedSince(long before) {
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static byte[] bomb(ContentCoding coding) throws IOException {
    return switch (coding) {
      case GZIP -> deflateBomb(true);
      case DEFLATE -> deflateBomb(false);
      case ZSTD -> resource("zeros-512m.zst");
      case BR -> resource("zeros-512m.br");
      case IDENTITY -> throw new AssertionError("no bomb without a coding");
    };
  }

  /** One flushed mebibyte, 512 times: after a full flush the same bytes mean the same again. */
  private static byte[] deflateBomb(boolean gzip) {
    var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    byte[] block = new byte[8 * 1024];
    deflater.setInput(new byte[MIB]);
    int blockBytes = deflater.deflate(block, 0, block.length, Deflater.FULL_FLUSH);
    deflater.end();
    var out = new ByteArrayOutputStream();
    out.writeBytes(gzip ? new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0} : new byte[0]);
    var crc = new CRC32();
    byte[] zeros = new byte[MIB];
    for (int i = 0; i < BOMB_MIB; i++) {
      out.write(block, 0, blockBytes);
      crc.update(zeros);
    }
    out.writeBytes(new byte[] {3, 0});
    if (gzip) {
      long trailer = crc.getValue() | (((long) BOMB_MIB * MIB) << 32);
      for (int i = 0; i < 8; i++) {
        out.write((int) (trailer >>> (8 * i)));
      }
    }
    return out.toByteArray();
  }

  private static byte[] resource(String name) throws IOException {
    try (var stream = BombTest.class.getResourceAsStream(name)) {
      return stream.readAllBytes();
    }
  }
}
