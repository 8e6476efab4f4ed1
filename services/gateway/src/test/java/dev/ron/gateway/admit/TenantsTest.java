package dev.ron.gateway.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.TokenId;
import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.GatewayMetrics;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import org.junit.jupiter.api.Test;

final class TenantsTest {
  private static final int MAX = 4;

  private final Scope scope = Scope.of("gateway", World.real(Log.silent()));
  private final Tenants tenants = new Tenants(GatewayMetrics.in(scope), MAX);

  private static TokenId token(int number) {
    return new TokenId("k1", "%032x".formatted(number));
  }

  @Test
  void aTokenWithoutATenantIsItsOwnAndMetricsShowOneNameForAll() {
    Tenant first = tenants.of(token(1));
    Tenant second = tenants.of(token(2));
    assertThat(tenants.of(token(1))).isSameAs(first);
    assertThat(first.key()).isNotEqualTo(second.key());
    assertThat(first.tenantClass()).isEqualTo(TenantClass.CAPABILITY);
    assertThat(tenants.label(first)).isEqualTo(tenants.label(second)).isEqualTo(Tenants.UNNAMED);
    first.overQuota();
    second.overQuota();
    assertThat(scope.metrics().text())
        .contains("gateway_quota_exhaustions_total{tenant=\"capability/unnamed\"} 2.0")
        .doesNotContain(token(1).nonce());
  }

  @Test
  void aHeaderCannotPoseAsAToken() {
    Tenant token = tenants.of(token(1));
    assertThat(tenants.of(token.key(), TenantClass.HEADER).key()).isNotEqualTo(token.key());
  }

  @Test
  void tokensTakeNoMoreRoomThanTenantsMay() {
    for (int i = 0; i < MAX; i++) {
      tenants.of(token(i)).inside().incrementAndGet();
    }
    assertThat(tenants.of(token(MAX)).name()).isEqualTo(Tenants.OTHERS);
    tenants.of(token(0)).inside().decrementAndGet();
    assertThat(tenants.of(token(MAX)).name()).isEqualTo(Tenants.UNNAMED);
  }
}
