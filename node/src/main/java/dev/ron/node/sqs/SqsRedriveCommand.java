package dev.ron.node.sqs;

import dev.ron.kernel.time.Time;
import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Moves dead letters back, each to the queue it came from or all to one, and waits for the end.
 *
 * <p>The move is the node's: it goes on if this command is stopped.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "redrive",
    description = "Move the messages of a dead-letter queue back, and wait until that is done.")
final class SqsRedriveCommand implements Callable<Integer> {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  @Mixin private final SqsOptions sqs = new SqsOptions();

  @Parameters(paramLabel = "QUEUE", description = "The dead-letter queue: a name, or a URL.")
  private String queue = "";

  @Option(names = "--to", description = "All to this queue; else each to where it came from.")
  private @Nullable String to;

  @Option(
      names = "--per-second",
      description = "So many, 1 to 500; as fast as it goes if not given.")
  private @Nullable Integer perSecond;

  @Option(names = "--no-wait", description = "Begin it, and do not wait for its end.")
  private boolean unwatched;

  @Option(names = "--cancel", description = "End the move that is under way, where it is.")
  private boolean cancel;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (SqsOptions.Door door = sqs.open()) {
      String source = arn(door, queue);
      if (cancel) {
        Map<String, @Nullable Object> task = task(door, source);
        if (!(task.get("TaskHandle") instanceof String handle)) {
          throw new IOException("no move of " + queue + " is under way");
        }
        door.call("CancelMessageMoveTask", Map.of("TaskHandle", handle));
        return show(task(door, source));
      }
      var members = new LinkedHashMap<String, Object>();
      members.put("SourceArn", source);
      if (to != null) {
        members.put("DestinationArn", arn(door, to));
      }
      if (perSecond != null) {
        members.put("MaxNumberOfMessagesPerSecond", perSecond);
      }
      door.call("StartMessageMoveTask", members);
      Time time = CommandClient.scope().time();
      Map<String, @Nullable Object> task = task(door, source);
      while (!unwatched && "RUNNING".equals(task.get("Status"))) {
        time.sleepUntil(time.now().plus(LOOK_EVERY));
        task = task(door, source);
      }
      return show(task);
    }
  }

  private static String arn(SqsOptions.Door door, String queue)
      throws IOException, InterruptedException {
    return SqsOptions.text(
        door.call(
            "GetQueueAttributes", Map.of("QueueUrl", queue, "AttributeNames", List.of("QueueArn"))),
        "Attributes",
        "QueueArn");
  }

  /** The latest. */
  private static Map<String, @Nullable Object> task(SqsOptions.Door door, String source)
      throws IOException, InterruptedException {
    List<Map<String, @Nullable Object>> tasks =
        SqsOptions.trees(door.call("ListMessageMoveTasks", Map.of("SourceArn", source)), "Results");
    return tasks.isEmpty() ? Map.of() : tasks.getFirst();
  }

  /** 1 if the move failed. */
  private int show(Map<String, @Nullable Object> task) {
    Object failure = task.get("FailureReason");
    System.out.println(
        sqs.isForPeople()
            ? "%s, %s of %s moved%s"
                .formatted(
                    task.get("Status"),
                    task.get("ApproximateNumberOfMessagesMoved"),
                    task.get("ApproximateNumberOfMessagesToMove"),
                    failure == null ? "" : ": " + failure)
            : CommandClient.json(task));
    return "FAILED".equals(task.get("Status")) ? 1 : 0;
  }
}
