package dev.ron.node.cli;

import dev.ron.journal.file.Salvage;
import dev.ron.journal.file.SalvageReport;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Journals on this machine's disk, while the node is stopped.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "journal",
    description = "Copy what can be read of a damaged journal.",
    subcommands = JournalCommand.CopyReadable.class)
public final class JournalCommand {
  private static final int EXIT_LOST = 1;

  /** Never writes to the damaged folder: what this tool cannot read another may. */
  @Command(
      name = "salvage",
      description = {
        "Copy every readable record of a damaged journal to a new one, and say what is lost.",
        "Exits with 0 only if nothing is. Stop the node first; then put OUT in the place of DIR."
      })
  static final class CopyReadable implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The journal, as data/mailbox/journal.")
    private Path from = Path.of("");

    @Parameters(paramLabel = "OUT", description = "A folder that is missing or empty.")
    private Path to = Path.of("");

    @Option(
        names = "--id",
        defaultValue = "",
        paramLabel = "HEX",
        description = "The journal's id, needed only if no file of it has a readable header.")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      OptionalLong known =
          id.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseUnsignedLong(id, 16));
      SalvageReport report = Salvage.run(new RealDisk(), from, to, known);
      report.lines().forEach(System.out::println);
      return report.clean() ? 0 : EXIT_LOST;
    }
  }
}
