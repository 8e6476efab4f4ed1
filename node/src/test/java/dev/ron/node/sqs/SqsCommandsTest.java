package dev.ron.node.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The SQS commands against a running node. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
final class SqsCommandsTest {
  private static final String ARN = "arn:aws:sqs:us-east-1:000000000000:";

  @TempDir private Path folder;
  private RunningNode node;
  private String token;

  @BeforeEach
  void start() throws Exception {
    node = RunningNode.start(folder.resolve("data"), Map.of("node.services", "mailbox"));
    token = node.keys().adminToken();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aQueueIsMadeFilledSeenPurgedAndRemoved() {
    assertThat(ok("mk", "orders", "--attribute", "VisibilityTimeout=60"))
        .isEqualTo("{\"url\":\"%s/000000000000/orders\"}\n".formatted(node.url("sqs")));
    assertThat(ok("send", "orders", "hällo", "--attribute", "kind=new", "--group", "g"))
        .matches("\\{\"id\":\"[0-9a-f-]{36}\"}\n");
    ok("send", "orders", "later", "--delay", "900");
    for (int i = 0; i < 2; i++) {
      assertThat(ok("peek", "orders"))
          .contains("\"Body\":\"hällo\"", "\"kind\":{", "\"ApproximateReceiveCount\":\"0\"")
          .doesNotContain("later", "ReceiptHandle");
    }
    assertThat(ok("peek", "orders", "--all")).contains("\"Body\":\"later\"");
    assertThat(ok("peek", "orders", "--all", "--max", "1").lines()).hasSize(1);
    ok("mk", "other.fifo");
    assertThat(ok("ls", "ord"))
        .isEqualTo(
            "{\"queue\":\"orders\",\"ready\":1,\"delayed\":1,\"in_flight\":0,\"redrive_policy\":\"\",\"url\":\"%s/000000000000/orders\"}\n"
                .formatted(node.url("sqs")));
    assertThat(ok("ls").lines()).hasSize(2);
    assertThat(ok("purge", "orders")).isEqualTo("{\"purged\":\"orders\"}\n");
    assertThat(ok("peek", "orders", "--all")).isEmpty();
    assertThat(fails("purge", "orders")).contains("PurgeQueueInProgress: Only one PurgeQueue");
    ok("rm", "orders");
    assertThat(fails("send", "orders", "x"))
        .contains("QueueDoesNotExist: The specified queue does not exist.");
    assertThat(fails("send", "other.fifo", "x")).contains("the parameter MessageGroupId.");
  }

  @Test
  void deadLettersAreMovedToAQueueAndTheEndIsShown() {
    ok("mk", "dead");
    ok("mk", "live");
    String policy = "{\"deadLetterTargetArn\":\"" + ARN + "dead\",\"maxReceiveCount\":5}";
    ok("mk", "source", "--attribute", "RedrivePolicy=" + policy);
    ok("send", "dead", "one");
    ok("send", "dead", "two");
    assertThat(ok("redrive", "dead", "--to", "live"))
        .contains("\"Status\":\"COMPLETED\"", "\"ApproximateNumberOfMessagesMoved\":2");
    assertThat(ok("peek", "live").lines()).hasSize(2);
    ok("send", "dead", "three");
    Said failed = sqs("redrive", "dead");
    assertThat(failed.exit()).as("it came from no queue").isEqualTo(1);
    assertThat(failed.out()).contains("\"FailureReason\":\"CouldNotDetermineMessageSource\"");
    assertThat(fails("redrive", "live")).contains("must be configured as a Dead Letter Queue");
    assertThat(fails("redrive", "dead", "--cancel")).contains("no move of dead is under way");
  }

  @Test
  void withoutTheRightACommandSaysWhatTheDoorSaid() {
    Said said = Said.by("sqs", "ls", "--endpoint", node.url("sqs"), "--cap", "");
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err()).contains("MissingAuthenticationToken");
  }

  private String ok(String... args) {
    Said said = sqs(args);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  private String fails(String... args) {
    Said said = sqs(args);
    assertThat(said.exit()).as(said.out()).isEqualTo(1);
    return said.err();
  }

  private Said sqs(String... args) {
    var all = new ArrayList<>(List.of("sqs"));
    all.addAll(List.of(args));
    all.addAll(List.of("--endpoint", node.url("sqs"), "--cap", token));
    return Said.by(all.toArray(String[]::new));
  }
}
