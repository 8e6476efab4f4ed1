package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * SIGKILL at random under the load of three tenants: each is charged for no message that it was not
 * told of, and for all but those of the last second before a kill.
 */
@ResourceLock(Resources.SYSTEM_OUT)
class UsageKillTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @TempDir private Path folder;

  @Test
  @Timeout(300)
  void noTenantIsChargedTooMuchAfterAKill() throws Exception {
    killAndCompare(1, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  @Timeout(3600)
  void noTenantIsChargedTooMuchAfterAHundredKills() throws Exception {
    killAndCompare(100, Long.getLong("ron.seed", 2));
  }

  private void killAndCompare(int kills, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    var tenants = List.of(new Sender("acme"), new Sender("beta"), new Sender("gamma"));
    for (int round = 0; round < kills; round++) {
      try (ChildJvm node = start()) {
        List<Thread> load = load(tenants);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500, 4000)));
        node.kill9();
        long killed = System.nanoTime();
        for (Thread each : load) {
          each.join();
        }
        tenants.forEach(tenant -> tenant.killedAt(killed));
      }
    }
    try (ChildJvm node = start()) {
      for (Sender tenant : tenants) {
        compare(tenant, "after %d kills, seed %d".formatted(kills, seed));
      }
      assertThat(ron("usage", "verify", "--storage", url("storage")).exit()).isZero();
      node.terminate();
      assertThat(node.exit(Duration.ofSeconds(60))).isZero();
    }
  }

  private void compare(Sender tenant, String when) throws IOException {
    long charged = charged(tenant.name);
    String said =
        "%s: told of %d, charged %d, %d in the seconds before kills, %s"
            .formatted(tenant.name, tenant.told, charged, tenant.lastSeconds, when);
    System.out.println(said);
    assertThat(tenant.told).as(said).isPositive();
    assertThat(charged).as(said).isBetween(tenant.told - tenant.lastSeconds, tenant.told);
  }

  private long charged(String tenant) throws IOException {
    Said said = ron("usage", "--json", "--tenant", tenant);
    Matcher units =
        Pattern.compile("\"mailbox.messages_sent\",\"units\":\"(\\d+)\"").matcher(said.out());
    return units.find() ? Long.parseLong(units.group(1)) : 0;
  }

  private Said ron(String... words) throws IOException {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", field("\"admin\":\"([^\"]+)\""), "--cap"));
    all.add(field("\"capability\":\"([^\"]+)\""));
    return Said.by(all.toArray(String[]::new));
  }

  private List<Thread> load(List<Sender> tenants) throws IOException {
    NodeKeys keys = NodeKeys.open(folder.resolve("node"));
    URI send = URI.create(url("mailbox") + "/v1/send");
    var threads = new ArrayList<Thread>();
    for (Sender tenant : tenants) {
      String token = keys.mint(List.of(new Caveat.Tenant(tenant.name)));
      threads.add(Thread.ofVirtual().start(() -> tenant.sendUntilKilled(send, token)));
    }
    return threads;
  }

  /** One tenant's client and its own ledger. */
  private static final class Sender {
    private final String name;

    /** When the last ones were acknowledged. */
    private final Deque<Long> recent = new ArrayDeque<>();

    private long number;
    private long told;
    private long lastSeconds;

    Sender(String name) {
      this.name = name;
    }

    void sendUntilKilled(URI to, String token) {
      try (HttpClient client = HttpClient.newHttpClient()) {
        while (true) {
          String form =
              "{\"topic\":\"t\",\"idem_key\":\"%d\",\"payload_b64\":\"%s\"}"
                  .formatted(number++, Base64.getEncoder().encodeToString(name.getBytes(UTF_8)));
          HttpRequest request =
              HttpRequest.newBuilder(to)
                  .header("Content-Type", "application/json")
                  .header("Authorization", "Bearer " + token)
                  .timeout(Duration.ofSeconds(30))
                  .POST(BodyPublishers.ofString(form))
                  .build();
          if (client.send(request, BodyHandlers.ofString()).statusCode() == 200) {
            told++;
            recent.add(System.nanoTime());
            if (recent.size() > 100_000) {
              recent.remove();
            }
          }
        }
      } catch (IOException killed) {
        // The answer that was under way may have gone out or not.
      } catch (InterruptedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /** What may be missing of the accounts since then. */
    void killedAt(long nanos) {
      assertThat(recent).as(name + " was under load").isNotEmpty();
      lastSeconds += recent.stream().filter(at -> at > nanos - SECOND).count();
      recent.clear();
    }
  }

  private ChildJvm start() throws Exception {
    Path ready = folder.resolve("ready");
    Files.deleteIfExists(ready);
    var command = new ArrayList<String>();
    command.addAll(List.of("sh", "-c", "exec \"$@\" 2>>" + folder.resolve("log"), "sh"));
    command.addAll(ChildJvm.command(Ron.class, "up", "--base-port", "0"));
    command.addAll(List.of("--data", folder.resolve("node").toString()));
    command.addAll(List.of("--ready-file", ready.toString()));
    command.addAll(List.of("--set", "node.services=mailbox,storage", "--set", "usage.seal=2s"));
    command.addAll(List.of("--set", "mailbox.shard_capacity=1000000")); // none is received
    ChildJvm node = ChildJvm.start(command);
    long limit = System.nanoTime() + 60 * SECOND;
    while (!Files.exists(ready)) {
      assertThat(System.nanoTime()).as("ready").isLessThan(limit);
      LockSupport.parkNanos(2_000_000);
    }
    return node;
  }

  private String url(String service) throws IOException {
    return field("\"%s\":\\{\"url\":\"([^\"]+)\"".formatted(service));
  }

  private String field(String pattern) throws IOException {
    String written = Files.readString(folder.resolve("ready"));
    Matcher found = Pattern.compile(pattern).matcher(written);
    assertThat(found.find()).as(written).isTrue();
    return found.group(1);
  }
}
