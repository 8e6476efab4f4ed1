package dev.ron.edge.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.HeadFact;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.VaryFields;
import dev.ron.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HeadCodecTest {
  static final Address ADDRESS = new Address(Blake3.hash(new byte[] {1, 2, 3}));

  static StoredResponse stored() {
    return StoredResponse.of(
        42,
        new CacheKey("https://o.example", "/a?b=%20"),
        200,
        Headers.of("ETag", "\"\u00e9\"", "Cache-Control", "max-age=60", "ETag", "second"),
        Instant.ofEpochMilli(1_700_000_000_123L),
        Instant.ofEpochMilli(1_700_000_000_456L),
        new VaryFields(Map.of("accept", "a,b", "foo", ""), false),
        new StoredRanges(
            List.of(new StoredRange(0, 2, ADDRESS, 1), new StoredRange(5, 5, ADDRESS, 0)), 10));
  }

  @Test
  void factsComeBackAsTheyWere() throws IOException {
    ByteBuffer kept = HeadCodec.encode(new HeadFact.Kept(stored(), "acme"));
    HeadFact back = HeadCodec.decode(kept.duplicate());
    assertThat(HeadCodec.encode(back)).isEqualTo(kept);
    assertThat(((HeadFact.Kept) back).tenant()).isEqualTo("acme");
    assertThat(((HeadFact.Kept) back).stored().pieces()).isEqualTo(stored().pieces());
    assertThat(((HeadFact.Kept) back).stored().freshness()).isEqualTo(stored().freshness());
    var cleared = new HeadFact.Cleared(List.of(new CacheKey("https://o.example", "/a")));
    assertThat(HeadCodec.decode(HeadCodec.encode(cleared))).isEqualTo(cleared);
    var dropped = new HeadFact.Dropped(List.of(1L, Long.MAX_VALUE));
    assertThat(HeadCodec.decode(HeadCodec.encode(dropped))).isEqualTo(dropped);
  }

  /** As versions wrote it that knew of no tenants. */
  @Test
  void anAnswerOfBeforeHasNoTenant() throws IOException {
    byte[] now = HeadCodec.encode(new HeadFact.Kept(stored(), "")).array();
    byte[] before = new byte[now.length - Integer.BYTES];
    System.arraycopy(now, 1 + Integer.BYTES, before, 1, before.length - 1);
    before[0] = 1;
    HeadFact.Kept back = (HeadFact.Kept) HeadCodec.decode(ByteBuffer.wrap(before));
    assertThat(back.tenant()).isEmpty();
    assertThat(back.stored().pieces()).isEqualTo(stored().pieces());
  }

  @Test
  void everyCutAndEveryFlippedByteIsAFactOrARefusal() {
    byte[] whole = HeadCodec.encode(new HeadFact.Kept(stored(), "acme")).array();
    for (int i = 0; i < whole.length; i++) {
      int length = i;
      assertThatThrownBy(() -> HeadCodec.decode(ByteBuffer.wrap(whole, 0, length)))
          .as("cut at %d", length)
          .isInstanceOf(IOException.class);
      byte[] flipped = whole.clone();
      flipped[i] ^= (byte) 0x80;
      try {
        HeadCodec.decode(ByteBuffer.wrap(flipped));
      } catch (IOException refused) {
        assertThat(refused).hasMessageMatching("(?s).+");
      }
    }
  }
}
