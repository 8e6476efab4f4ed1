package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.epoch.RunSteps;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What belongs to one tenant is to another as if it were not there: every route is asked by another
 * tenant in a rewarder that has paid an epoch and in one that has none, and answers the same.
 */
@Timeout(180)
final class TenantsTest {
  private static final SplittableRandom RANDOM = new SplittableRandom(24);
  private static final KeyRing RING = KeyRing.generate(RANDOM);
  private static final String ACME = token(new Caveat.Tenant("acme"));
  private static final String EVIL = token(new Caveat.Tenant("evil"));
  private static final String OPERATOR = token();
  private static final String LINES =
      "{\"actor\":\"alice\",\"metric\":\"uptime\",\"units\":\"3\"}\n";

  private static final Set<String> OF_THE_SERVER =
      Set.of("healthz", "readyz", "version", "openapi");

  @TempDir private Path folder;

  private static String token(Caveat... caveats) {
    return new TokenMint(RING, RANDOM).mint(List.of(caveats)).token();
  }

  private Rig rig(String name) throws Exception {
    var verifier = new Verifier(new Trust(RING, new Revocations(Set.of())));
    return new Rig(folder.resolve(name), Map.of(), verifier, Calculus.EXACT, RunSteps.IGNORED);
  }

  private Path inputs(String name, String tenant) {
    Path all = folder.resolve(name).resolve("inputs");
    return tenant.isEmpty() ? all : all.resolve("~" + tenant);
  }

  /** Seals the usual inputs where a tenant's are; the form that names them. */
  private String form(String name, String tenant, String pool) throws Exception {
    Path at = inputs(name, tenant);
    String ledger =
        "{\"pool_minor\":\"%s\",\"asset\":\"ROC\",\"epoch\":\"2026-01\"}".formatted(pool);
    return Rig.body(
        Rig.seal(at, LINES.getBytes(UTF_8)),
        Rig.seal(at, ledger.getBytes(UTF_8)),
        Rig.seal(at, Rig.POLICY.getBytes(UTF_8)),
        false);
  }

  private static void awaitPaid(Rig rig, String token, String query) throws Exception {
    var giveUp = rig.scope.time().now().plusSeconds(60);
    String path = "/rewarder/epochs/2026-01/settlement" + query;
    while (!rig.ask("GET", path, "", token).contains("\"settled\"")) {
      assertThat(rig.scope.time().now()).isBefore(giveUp);
      rig.scope.time().sleepUntil(rig.scope.time().now().plusMillis(5));
    }
  }

  private static Map<String, List<String>> attempts(String form) {
    var rows = new LinkedHashMap<String, List<String>>();
    String epoch = "/rewarder/epochs/2026-01";
    rows.put("epochs", List.of("GET /rewarder/epochs ", "GET /rewarder/epochs?tenant=acme "));
    rows.put("manifest", names("GET " + epoch, " "));
    rows.put("verify", names("GET " + epoch + "/verify", " "));
    rows.put("allocations", names("GET " + epoch + "/allocations", " "));
    rows.put("explain", names("GET " + epoch + "/allocations/alice", " "));
    rows.put("held", names("GET " + epoch + "/held", " "));
    rows.put("settlement", names("GET " + epoch + "/settlement", " "));
    rows.put(
        "policy",
        List.of("GET /rewarder/policy/p ", "GET /rewarder/policy/%s ".formatted(policy(form))));
    rows.put("ledger", List.of("GET /rewarder/ledger ", "GET /rewarder/ledger?tenant=acme "));
    rows.put(
        "account",
        List.of(
            "GET /rewarder/ledger/pool:ROC:2026-01 ",
            "GET /rewarder/ledger/issuance:ROC ",
            "GET /rewarder/ledger/actor:ROC:alice ",
            "GET /rewarder/ledger/actor:ROC:alice?tenant=acme ",
            "GET /rewarder/ledger/issuance:~acme%2FROC ",
            "GET /rewarder/ledger/issuance:~acme/ROC "));
    rows.put(
        "simulate",
        List.of(
            "POST /rewarder/simulate {\"policy\":\"%s\",\"epochs\":[\"2026-01\"]}"
                .formatted(policy(form)),
            "POST /rewarder/simulate {\"policy\":\"%s\",\"epochs\":[\"~acme/2026-01\"]}"
                .formatted(policy(form))));
    // The inputs are acme's: named by their addresses they are not there either.
    rows.put("compute", names("POST " + epoch + "/compute", " " + form));
    rows.put("keys", List.of());
    rows.put("metrics", List.of("GET /metrics "));
    return rows;
  }

  private static List<String> names(String request, String rest) {
    return List.of(
        request + rest,
        request + "?tenant=acme" + rest,
        request + "?tenant=default" + rest,
        request.replace("2026-01", "~acme%2F2026-01") + rest,
        request.replace("2026-01", "~acme/2026-01") + rest);
  }

  private static String policy(String form) {
    Matcher found = Pattern.compile("\"policy\":\"([^\"]+)\"").matcher(form);
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private static String answer(Rig rig, String attempt, String token) throws Exception {
    String[] words = attempt.split(" ", 3);
    String said = rig.ask(words[0], words[1], words[2], token);
    return words[1].equals("/metrics")
        ? namesAlone(said)
        : said.replaceAll("\"corr_id\":\"[^\"]*\"", "CORR");
  }

  /** Of metrics what names a tenant or an epoch; how much the server did differs. */
  private static String namesAlone(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.matches(".*(tenant=|acme|2026-01|ROC).*"))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void noRouteTellsATenantOfAnothersEpochs() throws Exception {
    try (Rig full = rig("full");
        Rig empty = rig("empty")) {
      String form = form("full", "acme", "1000");
      assertThat(full.ask("POST", "/rewarder/epochs/2026-01/compute", form, ACME))
          .startsWith("200 ")
          .contains("\"epoch\":\"~acme/2026-01\"");
      awaitPaid(full, ACME, "");
      Map<String, List<String>> rows = attempts(form);
      assertThat(rows.keySet()).as("a row for each route").isEqualTo(operations(full));
      String before = view(full, ACME, "");
      for (List<String> row : rows.values()) {
        for (String attempt : row) {
          assertThat(answer(full, attempt, EVIL))
              .as(attempt)
              .isEqualTo(answer(empty, attempt, EVIL))
              .doesNotContain("alice");
        }
      }
      assertThat(view(full, ACME, "")).isEqualTo(before).contains("\"accounts\":3");
      assertThat(view(full, OPERATOR, "?tenant=acme")).isEqualTo(before);
      assertThat(full.ask("GET", "/rewarder/epochs", "", OPERATOR)).contains("~acme/2026-01");
      assertThat(full.ask("GET", "/rewarder/epochs", "", ACME)).contains("\"epoch\":\"2026-01\"");
    }
  }

  private static String view(Rig rig, String token, String query) throws Exception {
    var all = new StringBuilder();
    for (String path :
        List.of(
            "/rewarder/epochs",
            "/rewarder/epochs/2026-01",
            "/rewarder/epochs/2026-01/allocations/alice",
            "/rewarder/epochs/2026-01/verify",
            "/rewarder/ledger",
            "/rewarder/ledger/actor:ROC:alice")) {
      all.append(rig.ask("GET", path + query, "", token)).append('\n');
    }
    return all.toString();
  }

  /** Two tenants close one epoch, and neither moves the other's money. */
  @Test
  void epochsOfOneNameAreAsManyAsTheirOwners() throws Exception {
    try (Rig rig = rig("full")) {
      for (String tenant : List.of("acme", "evil", "default")) {
        String where = tenant.equals("default") ? "" : tenant;
        String form = form("full", where, tenant.equals("acme") ? "1000" : "7");
        String token = token(new Caveat.Tenant(tenant));
        assertThat(rig.ask("POST", "/rewarder/epochs/2026-01/compute", form, token))
            .startsWith("200 ");
        awaitPaid(rig, token, "");
      }
      String account = "/rewarder/ledger/actor:ROC:alice";
      assertThat(rig.ask("GET", account, "", ACME)).contains("\"balance_minor\":\"1000\"");
      assertThat(rig.ask("GET", account, "", EVIL)).contains("\"balance_minor\":\"7\"");
      assertThat(rig.ask("GET", account, "", OPERATOR)).contains("\"balance_minor\":\"7\"");
      assertThat(rig.ask("GET", account + "?tenant=acme", "", OPERATOR)).contains("\"1000\"");
      assertThat(rig.ask("GET", "/rewarder/ledger", "", OPERATOR)).contains("\"accounts\":9");
    }
    try (Rig again = rig("full")) {
      assertThat(again.ask("GET", "/rewarder/epochs", "", EVIL)).containsOnlyOnce("\"epoch\":");
      assertThat(again.ask("GET", "/rewarder/epochs/2026-01/verify", "", ACME))
          .contains("\"verified\":true");
    }
  }

  /** As runs were before they had owners. */
  @Test
  void whatHasNoTenantIsTheDefaultTenantsAndTheOperators() throws Exception {
    try (Rig rig = rig("full")) {
      String form = form("full", "", "1000");
      assertThat(rig.ask("POST", "/rewarder/epochs/2026-01/compute", form, OPERATOR))
          .startsWith("200 ")
          .contains("\"epoch\":\"2026-01\"");
      String path = "/rewarder/epochs/2026-01/verify";
      for (String token : List.of(OPERATOR, token(new Caveat.Tenant("default")))) {
        assertThat(rig.ask("GET", path, "", token)).contains("\"verified\":true");
      }
      assertThat(rig.ask("GET", path, "", ACME)).startsWith("404 ");
    }
  }

  private static Set<String> operations(Rig rig) throws Exception {
    var all = new TreeSet<String>();
    Matcher routes =
        Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(rig.get("/openapi.json"));
    while (routes.find()) {
      if (!OF_THE_SERVER.contains(routes.group(1))) {
        all.add(routes.group(1));
      }
    }
    return all;
  }
}
