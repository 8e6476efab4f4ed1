package dev.ron.edge.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.VaryFields;
import dev.ron.http.Headers;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheSharesTest {
  private static final long EACH = answer(0, 1000).bytes();

  private final CacheShares shares =
      new CacheShares(
          () ->
              new TenantTable(
                  List.of(new TenantTerms("acme", 1, Map.of(TenantLimit.CACHED, 3 * EACH)))));

  private static StoredResponse answer(long id, int bytes) {
    return StoredResponse.of(
        id,
        new CacheKey("http://o", "/" + id),
        200,
        new Headers(1),
        Instant.EPOCH,
        Instant.EPOCH,
        new VaryFields(Map.of(), false),
        new StoredRanges(
            List.of(new StoredRange(0, bytes, new Address(Blake3.hash(new byte[] {1})), 0)),
            bytes));
  }

  @Test
  void aTenantAtItsShareMakesRoomByItsOwnOldest() {
    for (int id = 1; id <= 3; id++) {
      assertThat(shares.entered("acme", answer(id, 1000))).isEmpty();
    }
    List<StoredResponse> beyond = shares.entered("acme", answer(4, 1000));
    assertThat(beyond).extracting(StoredResponse::id).containsExactly(1L);
    beyond.forEach(gone -> shares.left(gone));
    assertThat(shares.bytes("acme")).isEqualTo(3 * EACH);
    assertThat(shares.entered("other", answer(5, 100_000))).isEmpty();
  }

  @Test
  void whatIsLargerThanTheShareIsNotKept() {
    assertThat(shares.fits("acme", 3 * EACH)).isTrue();
    assertThat(shares.fits("acme", 3 * EACH + 1)).isFalse();
    assertThat(shares.fits("other", Long.MAX_VALUE)).isTrue();
  }

  @Test
  void anAnswerStaysWithWhomItWasFilledBy() {
    shares.entered("acme", answer(1, 1000));
    assertThat(shares.owner(answer(1, 1000), "other")).isEqualTo("acme");
    StoredResponse twice = answer(1, 2000);
    shares.entered("acme", twice);
    assertThat(shares.bytes("acme")).as("once under its id").isEqualTo(answer(1, 2000).bytes());
    shares.left(answer(1, 1000));
    assertThat(shares.bytes("acme")).as("that one went before").isEqualTo(answer(1, 2000).bytes());
    shares.left(twice);
    assertThat(shares.bytes("acme")).isZero();
    assertThat(shares.owner(answer(1, 1000), "other")).isEqualTo("other");
  }
}
