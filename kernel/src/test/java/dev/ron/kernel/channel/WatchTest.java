package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.VirtualScope;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WatchTest {
  private final VirtualScope virtual = VirtualScope.seeded(1);
  private final Watch<String> watch = Watch.of(virtual.scope(), "config", "first");

  @Test
  void aSlowReaderSeesTheLastValueOnly() throws InterruptedException {
    var seen = watch.latest();
    watch.set("second");
    watch.set("third");
    assertThat(watch.await(seen, Deadline.NEVER)).isEqualTo(new Watch.Version<>(2, "third"));
  }

  @Test
  void writingTheSameValueIsStillAWrite() {
    var seen = watch.latest();
    watch.set("first");
    assertThat(watch.after(seen).ready()).isTrue();
    assertThat(watch.after(watch.latest()).ready()).isFalse();
  }

  @Test
  void aWaitWithoutAWriteAnswersWhatWasSeen() throws InterruptedException {
    var passed = new Deadline(virtual.time().now().minus(Duration.ofMillis(1)));
    assertThat(watch.await(watch.latest(), passed)).isEqualTo(watch.latest());
  }
}
