package dev.ron.node.usage;

import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * What an epoch adds up: an object, or what nodes sealed.
 *
 * <p>Threading: owned by the command that reads its flags.
 */
public final class AccountingOptions {
  @Option(names = "--accounting", required = true, description = "Its address.")
  private @Nullable String given;

  @ArgGroup(exclusive = false)
  private @Nullable SealedUsage sealed;

  /** Its address, after it was put there if it has to be. */
  public String address(String epoch, String capability) throws IOException, InterruptedException {
    SealedUsage usage = sealed;
    if (usage != null && usage.wanted) {
      return usage.store(epoch, capability);
    }
    return given == null ? "" : given;
  }

  /** Which seals, and where they are. */
  static final class SealedUsage {
    @Option(names = "--usage", required = true, description = "What nodes sealed in the epoch.")
    private boolean wanted;

    @Option(
        names = {"--admin", "--node"},
        defaultValue = "${env:RON_URL_ADMIN:-http://127.0.0.1:8090}",
        description = "The admin door of a node, once for each; ${DEFAULT-VALUE} if not given.")
    private List<String> nodes = List.of();

    @Option(
        names = "--storage",
        defaultValue = "${env:RON_URL_STORAGE:-http://127.0.0.1:8083}",
        description = "Where the rewarder reads its inputs; ${DEFAULT-VALUE} if not given.")
    private String storage = "";

    @Option(names = "--from", description = "An instant, if the epoch is no month and no day.")
    private @Nullable Instant from;

    @Option(names = "--to", description = "An instant; seals that end until then count.")
    private @Nullable Instant to;

    @Option(names = "--accept-lost", description = "Take lost spans for spans without use.")
    private boolean acceptLost;

    String store(String epoch, String capability) throws IOException, InterruptedException {
      Optional<List<Instant>> span = SealSelection.spanOf(epoch);
      if (span.isEmpty() && (from == null || to == null)) {
        throw new IllegalArgumentException(
            epoch + " is no month such as 2026-11 and no day: name --from and --to");
      }
      var selection =
          new SealSelection(
              CommandClient.scope(),
              new SystemTime().wall(),
              from == null ? span.orElseThrow().getFirst() : from,
              to == null ? span.orElseThrow().getLast() : to,
              acceptLost,
              capability);
      return selection.store(nodes, storage).toString();
    }
  }
}
