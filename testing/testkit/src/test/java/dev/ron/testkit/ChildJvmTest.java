package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
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

  @Test
  void aSilentChildIsKilledAndTheTestFails() throws Exception {
    try (ChildJvm child = ChildJvm.start(Parrot.class, "hello")) {
      assertThat(child.line()).isEqualTo("hello");
      assertThatThrownBy(() -> child.line(Duration.ofMillis(50)))
          .hasMessageContaining("said nothing for PT0.05S");
      assertThat(child.exit(Duration.ofSeconds(10))).isEqualTo(128 + 9);
    }
  }

  @Test
  void aChildHearsAHangupThoughItsParentIgnoresIt() throws Exception {
    try (ChildJvm child =
        ChildJvm.start(List.of("sh", "-c", "trap 'echo heard' HUP; echo up; read line"))) {
      assertThat(child.line()).isEqualTo("up");
      child.signal("HUP");
      assertThat(child.line()).isEqualTo("heard");
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
