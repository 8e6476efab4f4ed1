package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChildJvmTest {
  @Test
  void aKilledChildRunsNoShutdownHook() throws Exception {
    try (ChildJvm child = ChildJvm.start(Parrot.class, "hello")) {
      assertThat(child.line()).isEqualTo("hello");
      child.kill9();
      assertThat(child.exit(Duration.ofSeconds(10))).isEqualTo(128 + 9);
      assertThat(child.line()).isNull();
    }
  }

  @Test
  void aTerminatedChildRunsItsHookAndAStoppedOneDoesNotUntilItContinues() throws Exception {
    try (ChildJvm child = ChildJvm.start(Parrot.class, "hello")) {
      assertThat(child.line()).isEqualTo("hello");
      child.signal("STOP");
      child.terminate();
      child.signal("CONT");
      assertThat(child.line()).isEqualTo("goodbye");
      assertThat(child.exit(Duration.ofSeconds(10))).isEqualTo(128 + 15);
    }
  }

  /** Says its argument, and goodbye if it may. */
  static final class Parrot {
    public static void main(String[] args) throws InterruptedException {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("goodbye")));
      System.out.println(args[0]);
      new java.util.concurrent.CountDownLatch(1).await();
    }
  }
}
