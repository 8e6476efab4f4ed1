package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.eventually;
import static dev.ron.storage.TenantAttempts.ACME;
import static dev.ron.storage.TenantAttempts.EVIL;
import static dev.ron.storage.TenantAttempts.OPERATOR;
import static dev.ron.storage.TenantAttempts.ask;
import static dev.ron.storage.TenantAttempts.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.testkit.UnitLedger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tenants keep of objects by address, against what their clients did. */
@Timeout(120)
final class StoredUsageTest {
  private static final long ALLOWED = 100_000;

  @TempDir private Path folder;

  private final UnitLedger ledger = new UnitLedger();

  private Rig rig(String... settings) throws Exception {
    var table =
        new TenantTable(
            List.of(
                new TenantTerms("acme", 1, Map.of(TenantLimit.STORED, ALLOWED)),
                new TenantTerms("evil", 1, Map.of(TenantLimit.STORED, ALLOWED))));
    Scope scope = Scope.of("storage", Rig.on(new RealDisk())).metered(ledger).shared(() -> table);
    return new Rig(Rig.table(folder, settings), scope, TenantAttempts.verifier());
  }

  @Test
  void eachTenantsReferenceCountsItsWholeSize() throws Exception {
    byte[] half = bytes(1, 50_000);
    byte[] rest = bytes(2, 50_000);
    byte[] one = bytes(3, 1);
    try (Rig rig = rig()) {
      for (String token : List.of(ACME, EVIL)) {
        assertThat(status(rig, token, "PUT", half, "")).isEqualTo(201);
        assertThat(status(rig, token, "PUT", half, "")).as("again").isEqualTo(200);
        assertThat(status(rig, token, "PUT", rest, "")).isEqualTo(201);
      }
      var refused = ask(rig, ACME, "PUT", "/o/" + address(one), one);
      assertThat(Rig.words(refused))
          .startsWith("507 ")
          .contains("tenant-quota", "acme", "stored = 100000", "uses 100000")
          .contains("\"tenant\":\"acme\"", "\"limit\":\"stored\"", "\"used\":\"100000\"");
      assertThat(status(rig, ACME, "GET", one, "")).as("nothing is left of it").isEqualTo(404);
      assertThat(status(rig, OPERATOR, "PUT", one, "")).as("the operator").isEqualTo(201);
      assertThat(status(rig, OPERATOR, "PUT", one, "?tenant=acme")).as("as acme").isEqualTo(507);
      assertThat(status(rig, ACME, "PUT", half, "")).as("its own fits").isEqualTo(200);
    }
    try (Rig rig = rig()) {
      assertThat(status(rig, ACME, "PUT", one, "")).as("after a restart").isEqualTo(507);
      assertThat(status(rig, ACME, "DELETE", half, "")).isEqualTo(204);
      assertThat(status(rig, ACME, "PUT", one, "")).isEqualTo(201);
      assertThat(status(rig, EVIL, "PUT", one, "")).as("evil has all its own").isEqualTo(507);
      assertThat(upload(rig, bytes(4, 49_999))).isEqualTo(201);
      assertThat(upload(rig, bytes(5, 1))).isEqualTo(507);
    }
  }

  private static int upload(Rig rig, byte[] object) throws Exception {
    String begun = Rig.words(ask(rig, ACME, "POST", "/o/uploads", new byte[0]));
    String path = "/o/uploads/" + Rig.field(begun, "upload");
    ask(rig, ACME, "PUT", path + "/0", object);
    return ask(rig, ACME, "POST", path + "/complete", new byte[0]).statusCode();
  }

  /** Many at once, and none of them over: the last room goes to one. */
  @Test
  void requestsThatComeTogetherDoNotPassTheLimit() throws Exception {
    var random = new SplittableRandom(3);
    try (Rig rig = rig()) {
      var objects = new ArrayList<byte[]>();
      for (int i = 0; i < 40; i++) {
        objects.add(bytes(100 + i, 3000 + random.nextInt(6000)));
      }
      Set<Integer> kept = ConcurrentHashMap.newKeySet();
      Set<Integer> wrong = ConcurrentHashMap.newKeySet();
      for (int round = 0; round < 3; round++) {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < objects.size(); i++) {
          int number = i;
          threads.add(
              Thread.startVirtualThread(
                  () -> toggle(rig, objects.get(number), number, kept, wrong)));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        long sum = kept.stream().mapToLong(each -> objects.get(each).length).sum();
        assertThat(wrong).isEmpty();
        assertThat(sum).as("by the client's own ledger").isLessThanOrEqualTo(ALLOWED);
        int left = (int) (ALLOWED - sum);
        assertThat(tried(rig, "PUT", bytes(900 + round, left + 1))).isEqualTo(507);
        if (left > 0) {
          assertThat(tried(rig, "PUT", bytes(800 + round, left))).as("all of it").isEqualTo(201);
          assertThat(tried(rig, "DELETE", bytes(800 + round, left))).isEqualTo(204);
        }
      }
    }
  }

  private static void toggle(
      Rig rig, byte[] object, int number, Set<Integer> kept, Set<Integer> wrong) {
    int status = tried(rig, kept.contains(number) ? "DELETE" : "PUT", object);
    switch (status) {
      case 201 -> kept.add(number);
      case 204 -> kept.remove(number);
      case 507 -> {}
      default -> wrong.add(status);
    }
  }

  private static int tried(Rig rig, String method, byte[] object) {
    try {
      return status(rig, ACME, method, object, "");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Between what the client's own clock allows, before and after a restart. */
  @Test
  void bytesAreChargedForTheTimeTheyAreKept() throws Exception {
    byte[] object = bytes(1, 90_000);
    long asked = System.nanoTime();
    long told;
    long least;
    try (Rig rig = rig()) {
      assertThat(status(rig, ACME, "PUT", object, "")).isEqualTo(201);
      told = System.nanoTime();
      assertThat(status(rig, EVIL, "PUT", object, "")).isEqualTo(201);
      assertThat(status(rig, EVIL, "DELETE", object, "")).isEqualTo(204);
      eventually("charged", () -> charged("acme") > 0);
      least = units(object, told, -50);
    }
    long ended = charged("acme");
    assertThat(ended).isBetween(least, units(object, asked, 50));
    long opened = System.nanoTime();
    try (Rig _ = rig()) {
      eventually("charged after a restart", () -> charged("acme") > ended);
    }
    assertThat(charged("acme") - ended).isLessThanOrEqualTo(units(object, opened, 50));
    assertThat(charged("evil")).isLessThanOrEqualTo(units(object, told, 50));
    assertThat(charged("default")).isZero();
  }

  private long charged(String tenant) {
    return ledger.units(tenant, Meter.Unit.OBJECT_BYTE_SECONDS);
  }

  private static long units(byte[] object, long since, long millis) {
    return object.length * ((System.nanoTime() - since) / 1_000_000 + millis) / 1000;
  }
}
