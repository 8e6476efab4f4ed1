package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More closed runs than any queue holds, and a ledger that is away meanwhile. */
@Timeout(300)
final class UnpaidRunsTest {
  /** More than the queue of intents holds. */
  private static final int RUNS = 540;

  private static final Pattern KEY = Pattern.compile("\"key\":\"([0-9a-f]{64}):");

  @TempDir private Path folder;

  @Test
  void anyNumberOfRunsWaitsForALedgerAndIsPaidInOrder() throws Exception {
    var away = new AtomicBoolean(true);
    List<String> taken = Collections.synchronizedList(new ArrayList<>());
    HttpServer ledger =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    ledger.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          boolean down = away.get();
          Matcher keys = KEY.matcher(body);
          int count = 0;
          while (keys.find()) {
            count++;
            if (!down) {
              taken.add(keys.group(1));
            }
          }
          byte[] answer = "{\"accepted\":%d,\"duplicates\":0}".formatted(count).getBytes(UTF_8);
          exchange.sendResponseHeaders(down ? 503 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    ledger.start();
    String url = "ledger.url=http://127.0.0.1:" + ledger.getAddress().getPort() + "/";
    try (Rig rig = Rig.open(folder, "ledger.sink=http", url, "amnesia=true")) {
      var closed = new ArrayList<String>();
      for (int i = 0; i < RUNS; i++) {
        String manifest = rig.compute("e" + i, "actor,metric,units\nalice,uptime,3\n");
        assertThat(manifest).startsWith("200 ").contains("\"closed\"");
        closed.add(Rig.field(manifest, "run_key"));
      }
      rig.awaitMetric("queue_depth{queue=\"intents\"}", "512.0");
      away.set(false);
      rig.awaitSettlement("e" + (RUNS - 1), "settled");
      assertThat(taken).as("each once, in the order of closing").isEqualTo(closed);
    } finally {
      ledger.stop(0);
    }
  }
}
