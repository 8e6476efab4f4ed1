package dev.ron.ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OrderedSettingsTest {
  @Test
  void theDefaultsAreWhatTheyAre() {
    assertThat(OrderedSettings.named("rows"))
        .isEqualTo(new OrderedSettings("rows", 268435456, 33554432, 4, 2, 512, 1024));
  }

  @Test
  void whatIsOutOfRangeIsRefusedByItsKey() {
    assertRefused(" ", 1 << 20, 1 << 20, 2, 1, 16, 1, "name");
    assertRefused("rows", 1, 1 << 20, 2, 1, 16, 1, "cache_bytes");
    assertRefused("rows", 1 << 20, 1, 2, 1, 16, 1, "memtable_bytes");
    assertRefused("rows", 1 << 20, 1 << 20, 1, 1, 16, 1, "memtables_max");
    assertRefused("rows", 1 << 20, 1 << 20, 2, 0, 16, 1, "background_jobs");
    assertRefused("rows", 1 << 20, 1 << 20, 2, 1, 15, 1, "files_open_max");
    assertRefused("rows", 1 << 20, 1 << 20, 2, 1, 16, 0, "cursors_max");
  }

  private static void assertRefused(
      String name,
      long cache,
      long memtable,
      int tables,
      int jobs,
      int files,
      int open,
      String key) {
    assertThatThrownBy(() -> new OrderedSettings(name, cache, memtable, tables, jobs, files, open))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ordered." + key + " = ");
  }
}
