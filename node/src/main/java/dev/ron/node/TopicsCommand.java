package dev.ron.node;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the topics of a running mailbox. */
@Command(name = "topics", description = "Depth, in flight and age of every topic.")
final class TopicsCommand implements Callable<Integer> {
  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return mailbox.get("/v1/topics");
  }
}
