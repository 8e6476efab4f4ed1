package dev.ron.node.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Usage of some members becomes payouts, and the sum is compared with the pool, unit by unit. */
final class EpochSum implements Chapter {
  private static final int MEMBERS = 500;
  private static final int LINES = 20_000;
  private static final BigInteger POOL = BigInteger.valueOf(1_000_000_007);
  private static final String EPOCH = "2026-11-15";
  private static final Pattern ADDRESS = Pattern.compile("\"address\":\"(b3:[0-9a-f]{64})\"");
  private static final Pattern AMOUNT = Pattern.compile("\"amount_minor\":\"(\\d+)\"");

  @Override
  public String title() {
    return "Close an epoch that adds up";
  }

  @Override
  public String watch() {
    return "Epochs on the dashboard: look up " + EPOCH;
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    String accounting = seal(node, accounting());
    String ledger =
        seal(
            node,
            "{\"pool_minor\":\"%s\",\"asset\":\"ROC\",\"epoch\":\"%s\"}".formatted(POOL, EPOCH));
    String policy =
        seal(
            node,
            """
            {"id":"demo","version":1,"weights_ppm":{"bytes_served":700000,"uptime":300000},\
            "rounding":"floor","min_payout_minor":"0","actor_cap_minor":null,"pool_cap_minor":null,\
            "on_bad_line":"refuse","signatures":[]}""");
    say.line("  sealed %d lines of %d members: %s", LINES, MEMBERS, accounting);
    String request =
        "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":false}"
            .formatted(accounting, ledger, policy);
    String path = "/rewarder/epochs/" + EPOCH;
    HttpResponse<byte[]> computed =
        node.ask("POST", "rewarder", path + "/compute", request.getBytes(UTF_8), "wait=8");
    String manifest = text(node.send("GET", "rewarder", path, new byte[0]));
    say.line("  computed (%d), root %s", computed.statusCode(), field(manifest, "root"));
    BigInteger paid = BigInteger.ZERO;
    int lines = 0;
    Matcher amounts =
        AMOUNT.matcher(
            text(node.send("GET", "rewarder", path + "/allocations?limit=1000", new byte[0])));
    while (amounts.find()) {
      paid = paid.add(new BigInteger(amounts.group(1)));
      lines++;
    }
    BigInteger residual = new BigInteger(field(manifest, "residual_minor"));
    boolean sum = paid.add(residual).equals(POOL) && lines == MEMBERS;
    String again = text(node.send("GET", "rewarder", path + "/verify", new byte[0]));
    String text =
        "%s paid in %d lines + %s left over = %s, the pool is %s; computed again: %s"
            .formatted(paid, lines, residual, paid.add(residual), POOL, again.strip());
    return new ChapterResult(text, sum && computed.statusCode() == 200);
  }

  private static String accounting() {
    var random = new SplittableRandom(7);
    var out = new StringBuilder("actor,metric,units\n");
    for (int line = 0; line < LINES; line++) {
      out.append("did:ron:member-%03d".formatted(line % MEMBERS))
          .append(random.nextBoolean() ? ",bytes_served," : ",uptime,")
          .append(random.nextLong(1, 1_000_000))
          .append('\n');
    }
    return out.toString();
  }

  /** Puts an input into the storage; its address. */
  static String seal(DemoNode node, String text) throws IOException, InterruptedException {
    String answer = text(node.send("POST", "storage", "/o", text.getBytes(UTF_8)));
    Matcher address = ADDRESS.matcher(answer);
    if (!address.find()) {
      throw new IOException("the storage did not take an input: " + answer);
    }
    return address.group(1);
  }

  private static String field(String json, String name) throws IOException {
    Matcher value = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
    if (!value.find()) {
      throw new IOException("no " + name + " in " + json);
    }
    return value.group(1);
  }

  static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), UTF_8);
  }
}
