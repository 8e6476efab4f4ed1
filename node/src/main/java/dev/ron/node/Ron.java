package dev.ron.node;

import dev.ron.node.backup.BackupCommand;
import dev.ron.node.backup.RestoreCommand;
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
import dev.ron.node.fsck.FsckCommand;
import dev.ron.node.profile.ErrorDescriptor;
import dev.ron.node.profile.FailureWords;
import dev.ron.node.profile.ProfileDefaults;
import dev.ron.node.profile.TerminalGuard;
import dev.ron.node.s3.S3Command;
import dev.ron.node.sqs.SqsCommand;
import dev.ron.node.top.LogsCommand;
import dev.ron.node.top.ReloadCommand;
import dev.ron.node.top.StatusCommand;
import dev.ron.node.top.TopCommand;
import dev.ron.node.top.UsageCommand;
import dev.ron.node.up.ConfigCommand;
import dev.ron.node.up.DoctorCommand;
import dev.ron.node.up.UpCommand;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command line.
 *
 * <p>Threading: owned by the thread that runs a command.
 */
@Command(
    name = "ron",
    versionProvider = Ron.Version.class,
    description = "A gateway, an edge cache, queues, objects and rewards, in one process.")
public final class Ron implements Runnable {
  private static final int EXIT_FAULT = 1;

  private static final Map<String, Class<?>> COMMANDS = commands();

  /** These look at every command. */
  private static final Set<String> ABOUT_ALL = Set.of("completion", "rehearse-client");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "What this command does, and its options.")
  @SuppressWarnings("unused") // picocli reads it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "The version of this program.")
  @SuppressWarnings("unused") // picocli reads it
  private boolean version;

  public static void main(String[] args) {
    ErrorDescriptor.restore();
    TerminalGuard.install();
    System.exit(run(args));
  }

  public static int run(String... args) {
    String first = args.length == 0 ? "" : args[0];
    return commandLine(first).execute(args);
  }

  /** All commands, ready to run. */
  static CommandLine commandLine() {
    return commandLine("");
  }

  /** One command if it is named; reading the annotations of all takes longer than most run. */
  private static CommandLine commandLine(String named) {
    CommandLine line = new CommandLine(new Ron());
    Class<?> one = COMMANDS.get(named);
    if (one != null && !ABOUT_ALL.contains(named)) {
      line.addSubcommand(named, one);
    } else {
      COMMANDS.forEach(line::addSubcommand);
      for (NodeConfig.Service service : NodeConfig.Service.values()) {
        var alone = new CommandLine(UpCommand.alone(service)).setCommandName(service.word());
        alone
            .getCommandSpec()
            .usageMessage()
            .description("Start the " + service.word() + " alone.");
        line.addSubcommand(service.word(), alone);
      }
    }
    CommandLine bench = line.getSubcommands().get("bench");
    if (bench != null) {
      // The benchmarks read their own flags; everything after the word is theirs.
      bench.setUnmatchedOptionsArePositionalParams(true);
    }
    line.setDefaultValueProvider(new ProfileDefaults(System.getenv()));
    line.setExecutionExceptionHandler(
        (failure, _, _) -> {
          System.err.println("ron: " + FailureWords.of(failure));
          return EXIT_FAULT;
        });
    return line;
  }

  private static Map<String, Class<?>> commands() {
    var rows = new LinkedHashMap<String, Class<?>>();
    rows.put("up", UpCommand.class);
    rows.put("config", ConfigCommand.class);
    rows.put("doctor", DoctorCommand.class);
    rows.put("top", TopCommand.class);
    rows.put("status", StatusCommand.class);
    rows.put("logs", LogsCommand.class);
    rows.put("reload", ReloadCommand.class);
    rows.put("usage", UsageCommand.class);
    rows.put("demo", DemoCommand.class);
    rows.put("cap", CapCommand.class);
    rows.put("cert", CertCommand.class);
    rows.put("bench", BenchCommand.class);
    rows.put("send", SendCommand.class);
    rows.put("recv", ReceiveCommand.class);
    rows.put("ack", AckCommand.class);
    rows.put("nack", NackCommand.class);
    rows.put("topics", TopicsCommand.class);
    rows.put("dlq", DeadLetterCommand.class);
    rows.put("cluster", ClusterCommand.class);
    rows.put("journal", JournalCommand.class);
    rows.put("fsck", FsckCommand.class);
    rows.put("backup", BackupCommand.class);
    rows.put("restore", RestoreCommand.class);
    rows.put("put", PutCommand.class);
    rows.put("get", GetCommand.class);
    rows.put("verify", VerifyCommand.class);
    rows.put("ls", LsCommand.class);
    rows.put("repair", RepairCommand.class);
    rows.put("epoch", EpochCommand.class);
    rows.put("pack", PackCommand.class);
    rows.put("s3", S3Command.class);
    rows.put("sqs", SqsCommand.class);
    rows.put("rehearse-client", RehearseClientCommand.class);
    rows.put("completion", CompletionCommand.class);
    return Collections.unmodifiableMap(rows);
  }

  @Override
  public void run() {
    CommandLine.usage(spec.commandLine(), System.out);
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
