package dev.ron.node.sqs;

import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Queues and their messages, for people without a client of SQS.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "sqs",
    description = "Queues and messages of Ron's SQS door.",
    subcommands = {
      SqsListCommand.class,
      SqsPeekCommand.class,
      SqsSendCommand.class,
      SqsRedriveCommand.class,
      SqsCommand.Make.class,
      SqsCommand.Remove.class,
      SqsCommand.Purge.class
    })
public final class SqsCommand {
  /** Makes a queue; one of that name and these attributes may be there. */
  @Command(name = "mk", description = "Make a queue; a name that ends in .fifo is a FIFO queue.")
  static final class Make implements Callable<Integer> {
    @Mixin private final SqsOptions sqs = new SqsOptions();

    @Parameters(paramLabel = "QUEUE")
    private String name = "";

    @Option(
        names = "--attribute",
        paramLabel = "NAME=VALUE",
        description = "Of the model: VisibilityTimeout=60. May come more than once.")
    private Map<String, String> attributes = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
      var all = new LinkedHashMap<>(attributes);
      if (name.endsWith(".fifo")) {
        all.putIfAbsent("FifoQueue", "true");
      }
      try (SqsOptions.Door door = sqs.open()) {
        String url =
            String.valueOf(
                door.call("CreateQueue", Map.of("QueueName", name, "Attributes", all))
                    .get("QueueUrl"));
        System.out.println(sqs.isForPeople() ? url : CommandClient.json(Map.of("url", url)));
        return 0;
      }
    }
  }

  /** Deletes a queue with its messages. */
  @Command(name = "rm", description = "Delete a queue and all its messages.")
  static final class Remove implements Callable<Integer> {
    @Mixin private final SqsOptions sqs = new SqsOptions();

    @Parameters(paramLabel = "QUEUE")
    private String queue = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return done(sqs, "DeleteQueue", queue, "removed");
    }
  }

  /** Deletes the messages of a queue. */
  @Command(name = "purge", description = "Delete all messages of a queue; once a minute.")
  static final class Purge implements Callable<Integer> {
    @Mixin private final SqsOptions sqs = new SqsOptions();

    @Parameters(paramLabel = "QUEUE")
    private String queue = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return done(sqs, "PurgeQueue", queue, "purged");
    }
  }

  private static int done(SqsOptions sqs, String action, String queue, String word)
      throws IOException, InterruptedException {
    try (SqsOptions.Door door = sqs.open()) {
      door.call(action, Map.of("QueueUrl", queue));
      System.out.println(
          sqs.isForPeople() ? word + " " + queue : CommandClient.json(Map.of(word, queue)));
      return 0;
    }
  }
}
