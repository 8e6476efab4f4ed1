package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.RawClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However odd the request that carries it, no line of a node's log says a token. */
@Timeout(60)
final class TokensInLogsTest {
  @TempDir private Path data;

  @Test
  void noLineSaysAToken() throws Exception {
    Queue<String> logged = new ConcurrentLinkedQueue<>();
    var log =
        new Log(
            "ron", LogLine.Level.DEBUG, new SystemTime()::wall, line -> logged.add(line.json()));
    NodeSettings settings =
        NodeSettings.load(
            Map.of("node.data", data.toString(), "node.base_port", "0"),
            Map.of(),
            Optional.empty());
    NodeKeys keys = NodeKeys.openOrMake(data);
    NodeProcess node =
        NodeProcess.start(
            settings,
            keys,
            World.real(log),
            new NodeProcess.Operator(() -> settings, new RecentLog()));
    String admin = keys.adminToken();
    String narrow = keys.mint(List.of(Caveat.parse("service = storage")));
    try {
      var doors = new ArrayList<>(node.urls().values());
      doors.add(node.adminUrl());
      for (String door : doors) {
        for (String token : List.of(admin, narrow)) {
          requests(token).forEach(request -> send(URI.create(door).getPort(), request));
        }
      }
    } finally {
      node.drain();
    }
    assertThat(logged)
        .hasSizeGreaterThan(100)
        .noneMatch(line -> line.contains(admin) || line.contains(narrow));
  }

  /** Tokens where they belong and where they do not, beside what a parser may choke on. */
  private static List<String> requests(String token) {
    var requests = new ArrayList<String>();
    for (String path :
        List.of(
            "/edge/packs",
            "/edge/map/sample",
            "/edge/assets/sample/0/0/0.mvt",
            "/api/edge/edge/packs",
            "/api/storage/o",
            "/api/mailbox/v1/topics",
            "/v1/topics",
            "/o",
            "/rewarder/keys",
            "/nothing")) {
      for (String odd : List.of("", "&style={x}", "&a=|^\"", "&b=%zz", "&c=[", "&d=\\")) {
        requests.add("GET %s?cap=%s%s HTTP/1.1\r\n".formatted(path, token, odd));
      }
      requests.add("GET %s HTTP/1.1\r\nAuthorization: Bearer %s\r\n".formatted(path, token));
      requests.add("GET %s HTTP/1.1\r\nAuthorization: Basic %s\r\n".formatted(path, token));
      requests.add("GET %s HTTP/1.1\r\nCookie: cap=%s\r\n".formatted(path, token));
      requests.add("GET %s HTTP/1.1\r\nX-Corr-ID: %s\r\n".formatted(path, token));
    }
    return requests;
  }

  private static void send(int port, String request) {
    try (var client = new RawClient(port)) {
      client.send(request + "Host: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).as(request).startsWith("HTTP/1.1 ").doesNotContain(" 500 ");
    } catch (java.io.IOException failed) {
      throw new AssertionError("no answer to " + request, failed);
    }
  }
}
