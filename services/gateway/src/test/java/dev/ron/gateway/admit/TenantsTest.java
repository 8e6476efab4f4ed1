package dev.ron.gateway.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.GatewayMetrics;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.Payer;
import org.junit.jupiter.api.Test;

final class TenantsTest {
  private static final int MAX = 4;

  private final Scope scope = Scope.of("gateway", World.real(Log.silent()));
  private final Tenants tenants = new Tenants(GatewayMetrics.in(scope), MAX);

  @Test
  void capabilitiesWithoutATenantAreTheOperatorAsAtEveryDoor() {
    Tenant operator = tenants.operator();
    assertThat(tenants.operator()).isSameAs(operator);
    assertThat(operator.key()).isEqualTo(Payer.OPERATOR);
    assertThat(operator.tenantClass()).isEqualTo(TenantClass.CAPABILITY);
    operator.overQuota();
    assertThat(scope.metrics().text())
        .contains("gateway_quota_exhaustions_total{tenant=\"operator\"} 1.0");
  }

  @Test
  void aHeaderCannotPoseAsTheOperator() {
    Tenant posing = tenants.of(Payer.OPERATOR, TenantClass.HEADER);
    assertThat(posing.key()).isNotEqualTo(tenants.operator().key());
    assertThat(posing.isOperator()).isFalse();
  }

  @Test
  void newcomersShareOneTenantWhenAsManyAsMayBeAreBusy() {
    for (int i = 0; i < MAX; i++) {
      tenants.of("t" + i, TenantClass.CAPABILITY).inside().incrementAndGet();
    }
    assertThat(tenants.of("late", TenantClass.CAPABILITY).name()).isEqualTo(Tenants.OTHERS);
    tenants.of("t0", TenantClass.CAPABILITY).inside().decrementAndGet();
    assertThat(tenants.of("late", TenantClass.CAPABILITY).name()).isEqualTo("late");
  }
}
