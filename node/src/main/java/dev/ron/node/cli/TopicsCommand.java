package dev.ron.node.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Shows the topics of a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "topics", description = "Depth, in flight and age of every topic.")
public final class TopicsCommand implements Callable<Integer> {
  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return mailbox.get("/v1/topics");
  }
}
