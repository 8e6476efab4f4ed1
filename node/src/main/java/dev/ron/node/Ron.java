package dev.ron.node;

import dev.ron.config.ConfigFault;
import dev.ron.node.cap.CapCommand;
import dev.ron.node.cli.AckCommand;
import dev.ron.node.cli.BenchCommand;
import dev.ron.node.cli.CertCommand;
import dev.ron.node.cli.ClusterCommand;
import dev.ron.node.cli.DeadLetterCommand;
import dev.ron.node.cli.EpochCommand;
import dev.ron.node.cli.GetCommand;
import dev.ron.node.cli.JournalCommand;
import dev.ron.node.cli.LsCommand;
import dev.ron.node.cli.NackCommand;
import dev.ron.node.cli.PackCommand;
import dev.ron.node.cli.PutCommand;
import dev.ron.node.cli.ReceiveCommand;
import dev.ron.node.cli.RehearseClientCommand;
import dev.ron.node.cli.RepairCommand;
import dev.ron.node.cli.SendCommand;
import dev.ron.node.cli.TopicsCommand;
import dev.ron.node.cli.VerifyCommand;
import dev.ron.node.completion.CompletionCommand;
import dev.ron.node.demo.DemoCommand;
import dev.ron.node.profile.ProfileDefaults;
import dev.ron.node.s3.S3Command;
import dev.ron.node.top.LogsCommand;
import dev.ron.node.top.ReloadCommand;
import dev.ron.node.top.StatusCommand;
import dev.ron.node.top.TopCommand;
import dev.ron.node.up.ConfigCommand;
import dev.ron.node.up.DoctorCommand;
import dev.ron.node.up.UpCommand;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line. */
@Command(
    name = "ron",
    mixinStandardHelpOptions = true,
    versionProvider = Ron.Version.class,
    description = "Five hardened services on one concurrency kernel.",
    subcommands = {
      UpCommand.class,
      ConfigCommand.class,
      DoctorCommand.class,
      TopCommand.class,
      StatusCommand.class,
      LogsCommand.class,
      ReloadCommand.class,
      DemoCommand.class,
      CapCommand.class,
      CertCommand.class,
      BenchCommand.class,
      SendCommand.class,
      ReceiveCommand.class,
      AckCommand.class,
      NackCommand.class,
      TopicsCommand.class,
      DeadLetterCommand.class,
      ClusterCommand.class,
      JournalCommand.class,
      PutCommand.class,
      GetCommand.class,
      VerifyCommand.class,
      LsCommand.class,
      RepairCommand.class,
      EpochCommand.class,
      PackCommand.class,
      S3Command.class,
      RehearseClientCommand.class,
      CompletionCommand.class,
      AutoComplete.GenerateCompletion.class
    })
public final class Ron implements Runnable {
  private static final int EXIT_FAULT = 1;

  public static void main(String[] args) {
    System.exit(run(args));
  }

  public static int run(String... args) {
    return commandLine().execute(args);
  }

  /** All commands, ready to run. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Ron());
    // The benchmarks read their own flags; everything after the word is theirs.
    Objects.requireNonNull(line.getSubcommands().get("bench"))
        .setUnmatchedOptionsArePositionalParams(true);
    for (NodeConfig.Service service : NodeConfig.Service.values()) {
      var alone = new CommandLine(UpCommand.alone(service));
      alone.getCommandSpec().usageMessage().description("Start the " + service.word() + " alone.");
      line.addSubcommand(service.word(), alone);
    }
    line.setDefaultValueProvider(new ProfileDefaults(System.getenv()));
    line.setExecutionExceptionHandler(
        (failure, _, _) -> {
          System.err.println("ron: " + words(failure));
          return EXIT_FAULT;
        });
    return line;
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  /** Expected failures speak for themselves; a bug also shows where it happened. */
  private static String words(Exception failure) {
    if (failure instanceof ConfigFault || failure instanceof IllegalArgumentException) {
      return String.valueOf(failure.getMessage());
    }
    if (failure instanceof java.io.IOException) {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
    failure.printStackTrace();
    return failure.toString();
  }

  /** From the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Ron.class.getPackage().getImplementationVersion();
      return new String[] {"ron " + (version == null ? "development" : version)};
    }
  }
}
