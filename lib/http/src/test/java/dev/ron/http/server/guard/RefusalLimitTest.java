package dev.ron.http.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.TokenId;
import dev.ron.kernel.time.VirtualTime;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RefusalLimitTest {
  private static final int RPS = 200;
  private static final SocketAddress PEER = new InetSocketAddress("192.0.2.1", 1000);
  private static final SocketAddress PROXY = new InetSocketAddress("192.0.2.9", 1000);
  private static final TokenId TOKEN = new TokenId("k1", "0".repeat(32));

  private final VirtualTime time = new VirtualTime();
  private final RefusalLimit limit = new RefusalLimit(time, PROXY::equals);

  private static void use(RefusalLimit.Account account) {
    for (int i = 0; i < account.perSecond(); i++) {
      assertThat(account.rest()).isZero();
      account.refused();
    }
    assertThat(account.rest()).isPositive();
  }

  @Test
  void anAddressItsClaimsAndATokenHaveAQuarterEach() {
    use(limit.of(PEER, false, RPS));
    use(limit.of(PEER, true, RPS));
    use(limit.of(TOKEN, "acme", RPS));
    assertThat(limit.of(PEER, false, RPS).perSecond()).isEqualTo(RPS / 4);
    assertThat(limit.of(TOKEN, "acme", RPS).perSecond()).isEqualTo(RPS / 4);
    assertThat(limit.of(new TokenId("k1", "1".repeat(32)), "acme", RPS).rest()).isZero();
    assertThat(limit.of(TOKEN, "zeta", RPS).rest()).isZero();
    time.advance(Duration.ofSeconds(1));
    use(limit.of(PEER, false, RPS));
    use(limit.of(TOKEN, "acme", RPS));
  }

  @Test
  void aTrustedProxyHasNoBoundButTokensDo() {
    RefusalLimit.Account proxy = limit.of(PROXY, false, RPS);
    for (int i = 0; i < 2 * RPS; i++) {
      proxy.refused();
    }
    assertThat(proxy.rest()).isZero();
    use(limit.of(TOKEN, "acme", RPS));
  }

  @Test
  void withoutARateThereIsNoBound() {
    RefusalLimit.Account token = limit.of(TOKEN, "acme", 0);
    token.refused();
    assertThat(token.rest()).isZero();
    assertThat(limit.of(PEER, true, 0).perSecond()).isZero();
  }

  @Test
  void noNumberOfAddressesTakesTheRoomOfTokens() {
    for (int i = 0; i < QuotaBuckets.BUCKETS_MAX + 10; i++) {
      limit
          .of(new InetSocketAddress("10.%d.%d.1".formatted(i / 250, i % 250), 1), false, RPS)
          .refused();
    }
    use(limit.of(TOKEN, "acme", RPS));
  }
}
