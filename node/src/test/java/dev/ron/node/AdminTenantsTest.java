package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.client.StorageClient;
import dev.ron.node.cli.CommandClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route of the admin door, asked by a tenant: what is the operator's is refused, and of usage
 * it sees its own.
 */
@Timeout(120)
final class AdminTenantsTest {
  /** For every client that reaches the door, which is bound to loopback; no tenant's things. */
  private static final Set<String> OPEN =
      Set.of("healthz", "readyz", "version", "openapi", "registry");

  @TempDir private Path data;

  @Test
  void noRouteTellsATenantOfAnother() throws Exception {
    try (RunningNode node =
            RunningNode.start(data, Map.of("node.services", "storage", "usage.seal", "1s"));
        HttpClient http = HttpClient.newHttpClient()) {
      String acme = node.keys().mint(List.of(new Caveat.Tenant("acme")));
      String evil = node.keys().mint(List.of(new Caveat.Tenant("evil")));
      try (var client =
          new StorageClient(CommandClient.scope(), URI.create(node.url("storage")), acme)) {
        client.put("hush".getBytes(UTF_8));
      }
      awaitShown(http, node, "/metrics", "tenant=\"acme\"");
      awaitShown(http, node, "/tenants", "\"tenant\":\"acme\"");
      var rows = new LinkedHashMap<String, List<String>>();
      rows.put("reload", List.of("403 POST /reload"));
      rows.put("logs", List.of("403 GET /logs", "403 GET /logs?from=0"));
      rows.put(
          "usage",
          List.of("200 GET /usage", "403 GET /usage?tenant=acme", "403 GET /usage?tenant=none"));
      rows.put("cluster", List.of("403 GET /cluster"));
      rows.put("settings", List.of("403 GET /settings"));
      rows.put("history", List.of("200 GET /history", "200 GET /history?since=0"));
      rows.put("metrics", List.of("200 GET /metrics"));
      rows.put(
          "tenants",
          List.of(
              "200 GET /tenants", "403 GET /tenants?tenant=acme", "403 GET /tenants?tenant=none"));
      rows.put("dashboard", List.of("200 GET /"));
      rows.put(
          "usage-spans",
          List.of(
              "200 GET /usage/spans?tenant=evil&metric=storage.requests",
              "403 GET /usage/spans?tenant=acme&metric=storage.requests"));
      rows.put("usage-seals", List.of("403 GET /usage/seals"));
      assertThat(rows.keySet())
          .as("a row for each route")
          .isEqualTo(operations(ask(http, node, "GET", "/openapi.json", "").body()));
      for (List<String> row : rows.values()) {
        for (String attempt : row) {
          String[] words = attempt.split(" ", 3);
          HttpResponse<String> told = ask(http, node, words[1], words[2], evil);
          assertThat(told.statusCode() + " " + words[1] + " " + words[2]).isEqualTo(attempt);
          assertThat(told.body().replace("tenant=acme", "")).doesNotContain("acme");
        }
      }
    }
  }

  /** What the operator sees, so that there is something to hide. */
  private static void awaitShown(HttpClient http, RunningNode node, String path, String text)
      throws Exception {
    while (!ask(http, node, "GET", path, node.keys().adminToken()).body().contains(text)) {
      LockSupport.parkNanos(50_000_000); // usage is counted, and metrics are made, once in a while
    }
  }

  private static HttpResponse<String> ask(
      HttpClient http, RunningNode node, String method, String path, String token)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(node.admin() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Set<String> operations(String document) {
    var found = new TreeSet<String>();
    Matcher each = Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(document);
    while (each.find()) {
      found.add(each.group(1));
    }
    found.removeAll(OPEN);
    return found;
  }
}
