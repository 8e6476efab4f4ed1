package dev.ron.http.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/** The leak check can fail: a buffer lost on purpose is found. */
final class LeakCheckTest {
  @Test
  void aLostBufferIsReported() throws InterruptedException {
    lose();
    for (int i = 0; i < 50 && LeakWatch.LEAKS.isEmpty(); i++) {
      LeakCheck.provoke();
      Thread.onSpinWait();
    }
    assertThat(LeakWatch.LEAKS).isNotEmpty();
    LeakWatch.LEAKS.clear();
  }

  private static void lose() {
    ByteBufAllocator.DEFAULT.buffer(64).writeLong(1);
  }
}
