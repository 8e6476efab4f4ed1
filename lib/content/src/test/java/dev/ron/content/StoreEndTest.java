package dev.ron.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store that was closed leaves for the report of a drain. */
final class StoreEndTest {
  @TempDir private Path folder;

  @Test
  void aStoreThatDidNothingDropsNothing() throws Exception {
    Scope scope = Scope.of("test", World.real(Log.silent()));
    SegmentStore store = SegmentStore.open(scope, SegmentConfig.in(folder));
    store.close();
    assertThat(scope.registry().abandonChannels()).isZero();
  }
}
