package dev.ron.node.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.World;
import dev.ron.node.NodeKeys;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.usage.SealSelection;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a loud and a quiet tenant sent is sealed, and the seals become payouts. */
final class SealedEpoch implements Chapter {
  private static final int LOUD = 30;
  private static final int QUIET = 3;
  private static final String EPOCH = "sealed-usage";

  /** A span is cut each second here; a machine that is busy cuts late. */
  private static final Duration CUTS = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(500);

  private final World world;

  SealedEpoch(World world) {
    this.world = world;
  }

  @Override
  public String title() {
    return "Pay by what was sealed";
  }

  @Override
  public String watch() {
    return "Tenants on the dashboard: press loud, then Why";
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    Instant from = world.time().wall().minus(Duration.ofDays(1));
    Files.writeString(node.config(), "[usage]\nseal = \"1s\"\n");
    node.hangup();
    int sent = send(node, "loud", LOUD) + send(node, "quiet", QUIET);
    String accounting = sealed(node, from);
    say.line("  %d messages of two tenants sealed and listed: %s", sent, accounting);
    String ledger =
        EpochSum.seal(
            node,
            "{\"pool_minor\":\"%d\",\"asset\":\"ROC\",\"epoch\":\"%s\"}"
                .formatted((LOUD + QUIET) * 1_000_000, EPOCH));
    String policy =
        EpochSum.seal(
            node,
            """
            {"id":"sealed","version":1,"weights_ppm":{"mailbox.messages_sent":1000000},\
            "rounding":"floor","min_payout_minor":"0","on_bad_line":"refuse"}""");
    String path = "/rewarder/epochs/" + EPOCH;
    String request =
        "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":false}"
            .formatted(accounting, ledger, policy);
    String manifest =
        EpochSum.text(
            node.ask("POST", "rewarder", path + "/compute", request.getBytes(UTF_8), "wait=8"));
    say.line("  the manifest names %d seals", count(manifest, "b3:[0-9a-f]{64}") - 4);
    long loud = paid(node, path, "loud");
    long quiet = paid(node, path, "quiet");
    // The messages of the chapters before are in the seals too; each amount is rounded down.
    long times = LOUD / QUIET;
    return new ChapterResult(
        "%d messages earn loud %d and %d earn quiet %d, beside all that was sent before"
            .formatted(LOUD, loud, QUIET, quiet),
        quiet > 0 && loud >= times * quiet && loud < times * (quiet + 1));
  }

  private static int send(DemoNode node, String tenant, int count) throws Exception {
    String token = NodeKeys.open(node.data()).mint(List.of(new Caveat.Tenant(tenant)));
    int taken = 0;
    for (int i = 0; i < count; i++) {
      String form =
          "{\"topic\":\"sealed\",\"idem_key\":\"%s-%d\",\"payload_b64\":\"aGk=\"}"
              .formatted(tenant, i);
      taken +=
          node.send("POST", "mailbox", "/v1/send", form.getBytes(UTF_8), token).statusCode() == 200
              ? 1
              : 0;
    }
    return taken;
  }

  /** The list of the seals since then, once everything before now is sealed. */
  private String sealed(DemoNode node, Instant from) throws Exception {
    // A count waits up to half a second before it can be sealed, and its seal ends with the next
    // cut.
    world.time().sleepUntil(world.time().now().plus(CUTS));
    Instant to = world.time().wall();
    Instant end = world.time().now().plus(PATIENCE);
    while (true) {
      try {
        return new SealSelection(
                CommandClient.scope(), to, from, to, false, node.ready().capability())
            .store(List.of(node.ready().admin()), node.url("storage"))
            .toString();
      } catch (IOException notYet) {
        if (world.time().now().isAfter(end)) {
          throw notYet;
        }
        world.time().sleepUntil(world.time().now().plus(POLL));
      }
    }
  }

  private static long paid(DemoNode node, String path, String actor) throws Exception {
    String line =
        EpochSum.text(node.send("GET", "rewarder", path + "/allocations/" + actor, new byte[0]));
    Matcher amount = Pattern.compile("\"amount_minor\":\"(\\d+)\"").matcher(line);
    if (!amount.find()) {
      throw new IOException("no amount for " + actor + ": " + line);
    }
    return Long.parseLong(amount.group(1));
  }

  private static long count(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().count();
  }
}
