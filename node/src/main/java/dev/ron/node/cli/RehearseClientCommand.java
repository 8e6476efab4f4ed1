package dev.ron.node.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Runs the commands that ask a node, where none answers, so that the launcher can keep what they
 * load.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "rehearse-client", hidden = true, description = "For the launcher's cache.")
public final class RehearseClientCommand implements Callable<Integer> {
  /** No server listens there: the port is for discarding what is sent. */
  private static final String NOWHERE = "http://127.0.0.1:9";

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("topics", "--url", NOWHERE),
          List.of("recv", "orders", "--url", NOWHERE),
          List.of("send", "orders", "--key", "k", "--file", "/dev/null", "--url", NOWHERE),
          List.of("ls", "--url", NOWHERE),
          List.of("pack", "list", "--url", NOWHERE),
          List.of("s3", "ls", "--endpoint", NOWHERE),
          List.of("sqs", "ls", "--endpoint", NOWHERE),
          List.of("status", "--admin", NOWHERE),
          List.of("logs", "--admin", NOWHERE),
          List.of("reload", "--admin", NOWHERE),
          List.of("top", "--admin", NOWHERE),
          List.of("usage", "--admin", NOWHERE),
          List.of("epoch", "status", "1", "--url", NOWHERE),
          List.of("cluster", "status", "--admin", NOWHERE, "--url", NOWHERE),
          List.of("cap", "show", "--data", "/nonexistent"),
          List.of("config"),
          List.of("--help"));

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    var nothing = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    System.setOut(nothing);
    System.setErr(nothing);
    try {
      CommandLine all = spec.root().commandLine();
      COMMANDS.forEach(command -> all.execute(command.toArray(String[]::new)));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return 0;
  }
}
