package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.edge.cache.HeadCodec;
import dev.ron.edge.core.CacheDecision;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.Cacheability;
import dev.ron.edge.core.Invalidation;
import dev.ron.edge.core.Reuse;
import dev.ron.edge.core.Selection;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.Validation;
import dev.ron.edge.core.VaryFields;
import dev.ron.http.FieldText;
import dev.ron.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/** Whatever an upstream or a client writes, the rules answer; corpus replay in every build. */
final class EdgeFuzzTest {
  private static final List<String> FIELDS =
      List.of(
          "Cache-Control",
          "CDN-Cache-Control",
          "Expires",
          "Date",
          "Age",
          "Last-Modified",
          "ETag",
          "Vary",
          "Connection",
          "Range",
          "If-Range",
          "If-None-Match",
          "If-Modified-Since",
          "Accept-Language",
          "Location",
          "Content-Range");
  private static final CacheKey KEY = new CacheKey("https://o.example", "/a");
  private static final Address BYTES = new Address(Blake3.hash(new byte[10]));

  @FuzzTest(maxDuration = "30s")
  void noHeadBreaksTheRules(FuzzedDataProvider data) {
    Headers asked = head(data);
    Headers answer = head(data);
    Instant came = Instant.ofEpochSecond(data.consumeInt(0, Integer.MAX_VALUE));
    Instant now = came.plusSeconds(data.consumeInt(-10, 1 << 20));
    var request = CacheRequest.of("GET", KEY, asked);
    int status = data.consumeInt(200, 599);
    boolean kept =
        Cacheability.decide(request, status, answer, came, came)
            instanceof Cacheability.Verdict.Keep;
    StoredResponse stored =
        StoredResponse.of(
            1,
            KEY,
            status,
            Cacheability.head(status, answer, came),
            came,
            came,
            VaryFields.of(answer, asked),
            StoredRanges.whole(BYTES, 10));
    CacheDecision decision = Reuse.decide(request, List.of(stored), now);
    if (decision instanceof CacheDecision.Hit(_, long age, long ttl, _)) {
      assertThat(age).isNotNegative();
      assertThat(ttl).isNotNegative();
      assertThat(stored.freshness().mustValidate()).isFalse();
    }
    if (kept) {
      assertThat(stored.selecting().any()).isFalse();
    }
    var _ = Selection.of(request, stored, now);
    var _ = Validation.conditions(stored);
    var _ = Validation.freshened(stored, answer, came, now);
    assertThat(Invalidation.of("POST", KEY, 200, answer))
        .allMatch(key -> key.origin().equals(KEY.origin()) && key.target().startsWith("/"));
  }

  @FuzzTest(maxDuration = "30s")
  void noBytesBreakTheCodec(byte[] bytes) {
    try {
      var fact = HeadCodec.decode(ByteBuffer.wrap(bytes));
      assertThat(HeadCodec.decode(HeadCodec.encode(fact)).getClass()).isEqualTo(fact.getClass());
    } catch (IOException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static Headers head(FuzzedDataProvider data) {
    var head = new Headers();
    int count = data.consumeInt(0, 6);
    for (int i = 0; i < count; i++) {
      String value = data.consumeAsciiString(60);
      if (FieldText.isValue(value)) {
        head.add(data.pickValue(FIELDS), value.strip());
      }
    }
    return head;
  }
}
