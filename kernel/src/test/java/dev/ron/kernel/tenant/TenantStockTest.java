package dev.ron.kernel.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TenantStockTest {
  private TenantTable table =
      new TenantTable(List.of(new TenantTerms("acme", 1, Map.of(TenantLimit.STORED, 100L))));
  private long elsewhere;
  private final TenantStock stock =
      new TenantStock(TenantLimit.STORED, () -> table, _ -> elsewhere);

  @Test
  void theLastByteFitsAndOneMoreIsToldWhatIsUsed() {
    assertThat(stock.reserve("acme", 60)).isNull();
    assertThat(stock.reserve("acme", 41))
        .isEqualTo(new TenantFault.OverStock("acme", TenantLimit.STORED, 100, 60));
    assertThat(stock.reserve("acme", 40)).isNull();
    assertThat(stock.reserve("acme", 1).status()).isEqualTo(507);
    assertThat(stock.reserve("acme", 0)).as("nothing more").isNull();
    stock.change("acme", -60);
    assertThat(stock.reserve("acme", 60)).isNull();
    assertThat(stock.reserve("other", 1 << 30)).isNull();
  }

  @Test
  void whatIsElsewhereTakesRoomToo() {
    elsewhere = 70;
    assertThat(stock.reserve("acme", 31))
        .isEqualTo(new TenantFault.OverStock("acme", TenantLimit.STORED, 100, 70));
    assertThat(stock.used("acme")).as("what was refused takes no room").isZero();
    assertThat(stock.reserve("acme", 30)).isNull();
    assertThat(stock.reserve("acme", 101))
        .isEqualTo(new TenantFault.OverStock("acme", TenantLimit.STORED, 100, 100));
    elsewhere = 0;
    assertThat(stock.reserve("acme", 70)).isNull();
    assertThat(stock.used("acme")).isEqualTo(100);
  }

  @Test
  void whatIsThereAtAStartCountsAlsoBeyondALimitThatWasLowered() {
    stock.change("acme", 500);
    assertThat(stock.reserve("acme", 1)).isNotNull();
    stock.change("acme", -401);
    assertThat(stock.reserve("acme", 1)).isNull();
    assertThat(stock.used("acme")).isEqualTo(100);
    table = TenantTable.NONE;
    assertThat(stock.reserve("acme", 1000)).isNull();
  }
}
