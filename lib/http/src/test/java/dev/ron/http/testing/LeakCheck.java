package dev.ron.http.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After every test class: no buffer may have been lost on the way. */
public final class LeakCheck implements AfterAllCallback {
  @Override
  public void afterAll(ExtensionContext context) {
    provoke();
    var leaks = List.copyOf(LeakWatch.LEAKS);
    LeakWatch.LEAKS.clear(); // each class answers for its own
    assertThat(leaks).as("buffers leaked in " + context.getDisplayName()).isEmpty();
  }

  /** A lost buffer is found by the collector and reported when the next one is made. */
  static void provoke() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      for (int j = 0; j < 64; j++) {
        ByteBufAllocator.DEFAULT.buffer(64).release();
      }
    }
  }
}
