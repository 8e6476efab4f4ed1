package dev.ron.node;

import dev.ron.config.ConfigFault;
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
      AutoComplete.GenerateCompletion.class
    })
public final class Ron implements Runnable {
  private static final int EXIT_FAULT = 1;

  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
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
