package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.eventually;
import static dev.ron.storage.TenantAttempts.ACME;
import static dev.ron.storage.TenantAttempts.BOTH;
import static dev.ron.storage.TenantAttempts.DEFAULT;
import static dev.ron.storage.TenantAttempts.EVIL;
import static dev.ron.storage.TenantAttempts.NONE;
import static dev.ron.storage.TenantAttempts.OPERATOR;
import static dev.ron.storage.TenantAttempts.SECRET;
import static dev.ron.storage.TenantAttempts.answer;
import static dev.ron.storage.TenantAttempts.ask;
import static dev.ron.storage.TenantAttempts.attempts;
import static dev.ron.storage.TenantAttempts.list;
import static dev.ron.storage.TenantAttempts.status;
import static dev.ron.storage.TenantAttempts.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.storage.TenantAttempts.Attempt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants are kept apart on several machines as on one, at whichever of them they ask. */
@Timeout(120)
final class ClusterTenantsTest {
  @TempDir private Path folder;

  private ClusterRig cluster(String name, String... settings) throws Exception {
    var all = new ArrayList<>(List.of(settings));
    all.addAll(
        List.of(
            "durability.replication=2",
            "durability.plan_period=500ms",
            "cluster.grace=1h",
            "cluster.cap=" + OPERATOR));
    return new ClusterRig(
        folder.resolve(name), 3, TenantAttempts.verifier(), all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void noRouteTellsATenantOfAnothersObjects(String publicRead) throws Exception {
    try (var full = cluster("full", "public_read=" + publicRead);
        var empty = cluster("empty", "public_read=" + publicRead)) {
      Rig a = full.node("a");
      assertThat(status(a, ACME, "PUT", SECRET, "")).isEqualTo(201);
      assertThat(status(full.node("b"), ACME, "PUT", BOTH, "")).isEqualTo(201);
      String upload =
          Rig.field(Rig.words(ask(a, ACME, "POST", "/o/uploads", new byte[0])), "upload");
      ask(a, ACME, "PUT", "/o/uploads/" + upload + "/0", SECRET);
      Map<String, List<Attempt>> rows = attempts(upload);
      var operations = new TreeSet<>(TenantAttempts.operations(a));
      operations.removeIf(each -> each.startsWith("peer"));
      assertThat(rows.keySet()).as("a row for each route").isEqualTo(operations);
      String before = view(a, ACME, "", upload);
      for (String token : List.of(EVIL, DEFAULT)) {
        for (List<Attempt> row : rows.values()) {
          for (Attempt attempt : row) {
            assertThat(answer(a, attempt, token))
                .as(attempt.toString())
                .isEqualTo(answer(empty.node("a"), attempt, token));
          }
          assertThat(view(a, ACME, "", upload)).as(row.toString()).isEqualTo(before);
        }
      }
      var open = new Attempt("GET", "/o/" + address(SECRET), new byte[0]);
      for (String name : List.of("a", "b", "c")) {
        assertThat(answer(full.node(name), open, NONE))
            .as("it is not public either")
            .isEqualTo(answer(empty.node(name), open, NONE));
        assertThat(status(full.node(name), ACME, "GET", SECRET, "")).isEqualTo(200);
        assertThat(list(full.node(name), ACME, "")).contains(address(SECRET).toString());
        assertThat(status(full.node(name), EVIL, "GET", SECRET, "")).isEqualTo(404);
        assertThat(status(full.node(name), OPERATOR, "GET", SECRET, "")).isEqualTo(200);
      }
      assertThat(view(a, OPERATOR, "?tenant=acme", upload)).isEqualTo(before);
    }
  }

  @Test
  void noTenantIsANode() throws Exception {
    try (var cluster = cluster("one")) {
      Rig node = cluster.node("a");
      Matcher each =
          Pattern.compile("\"(/peer[^\"]*)\":\\{").matcher(Rig.words(node.get("/openapi.json")));
      int asked = 0;
      while (each.find()) {
        String path =
            each.group(1)
                .replace("{address}", address(SECRET).toString())
                .replaceAll("\\{[a-z]+}", "0");
        for (String method : List.of("GET", "PUT", "POST", "DELETE")) {
          var answer = ask(node, EVIL, method, path, new byte[0]);
          if (answer.statusCode() != 405) {
            asked++;
            assertThat(Rig.words(answer)).as(method + " " + path).startsWith("403 ");
          }
        }
      }
      assertThat(asked).as("the routes of nodes").isGreaterThan(20);
    }
  }

  @Test
  void theBytesGoWithTheLastReference() throws Exception {
    try (var cluster = cluster("one", "public_read=false")) {
      Rig a = cluster.node("a");
      Rig b = cluster.node("b");
      Rig c = cluster.node("c");
      for (String token : List.of(ACME, EVIL, DEFAULT)) {
        assertThat(status(a, token, "PUT", BOTH, "")).isEqualTo(201);
        assertThat(status(b, token, "PUT", BOTH, "")).as("its own").isEqualTo(200);
      }
      for (String token : List.of(EVIL, DEFAULT, ACME)) {
        assertThat(status(c, ACME, "GET", BOTH, "")).isEqualTo(200);
        assertThat(status(b, token, "DELETE", BOTH, "")).isEqualTo(204);
        assertThat(status(a, token, "DELETE", BOTH, "")).isEqualTo(404);
        assertThat(status(c, token, "GET", BOTH, "")).isEqualTo(404);
        assertThat(list(a, token, "")).doesNotContain("b3:");
      }
      eventually("the bytes are gone", () -> gone(cluster, BOTH));
      assertThat(status(c, ACME, "PUT", BOTH, "")).as("and can come back").isEqualTo(201);
      assertThat(status(a, ACME, "GET", BOTH, "")).isEqualTo(200);
      assertThat(status(a, EVIL, "GET", BOTH, "")).isEqualTo(404);
      assertThat(status(b, OPERATOR, "DELETE", BOTH, "")).as("for all").isEqualTo(204);
      assertThat(status(a, ACME, "GET", BOTH, "")).isEqualTo(404);
      assertThat(gone(cluster, BOTH)).isTrue();
    }
  }

  private static boolean gone(ClusterRig cluster, byte[] object) {
    try {
      for (Rig node : cluster.nodes.values()) {
        String path = "/peer/stat/" + address(object);
        if (ask(node, OPERATOR, "GET", path, new byte[0]).statusCode() != 404) {
          return false;
        }
      }
      return true;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMachineThatIsAwayMissesNothingForLong() throws Exception {
    byte[] kept = bytes(31, 3000);
    byte[] dropped = bytes(32, 3000);
    try (var cluster = cluster("one", "public_read=false")) {
      assertThat(status(cluster.node("a"), ACME, "PUT", dropped, "")).isEqualTo(201);
      cluster.stop("c");
      Rig a = cluster.node("a");
      eventually("a write finds the two that are left", () -> tried(a, ACME, "PUT", kept) < 300);
      eventually("a delete too", () -> tried(a, ACME, "DELETE", dropped) == 204);
      assertThat(status(cluster.node("b"), ACME, "GET", kept, "")).isEqualTo(200);
      assertThat(list(cluster.node("b"), ACME, "")).doesNotContain(address(dropped).toString());
      cluster.start("c");
      cluster.awaitAll();
      Rig c = cluster.node("c");
      eventually("what was written is read there", () -> tried(c, ACME, "GET", kept) == 200);
      assertThat(status(c, EVIL, "GET", kept, "")).isEqualTo(404);
      assertThat(status(c, ACME, "GET", dropped, "")).as("what was deleted is").isEqualTo(404);
      eventually("and its bytes go", () -> gone(cluster, dropped));
      cluster.stop("c");
      Wipe.folder(folder.resolve("one").resolve("c"));
      cluster.start("c");
      cluster.awaitAll();
      cluster.stop("a");
      eventually(
          "a machine with new disks knows what it did not write",
          () -> tried(c(cluster), ACME, "GET", kept) == 200);
      assertThat(status(c(cluster), EVIL, "GET", kept, "")).isNotEqualTo(200);
    }
  }

  private static Rig c(ClusterRig cluster) {
    return cluster.node("c");
  }

  private static int tried(Rig rig, String token, String method, byte[] object) {
    try {
      return status(rig, token, method, object, "");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatTenantsStoredOnOneMachineStaysTheirs() throws Exception {
    byte[] plain = bytes(1, 10);
    byte[] owned = bytes(2, 10);
    Path first = folder.resolve("one").resolve("a");
    try (Rig alone = Rig.open(first)) {
      assertThat(alone.send("PUT", "/o/" + address(plain), plain).statusCode()).isEqualTo(201);
      assertThat(alone.send("PUT", "/o/" + address(owned) + "?tenant=acme", owned).statusCode())
          .isEqualTo(201);
    }
    try (var cluster = cluster("one", "public_read=true")) {
      for (Rig node : cluster.nodes.values()) {
        assertThat(status(node, NONE, "GET", plain, "")).as("default's").isEqualTo(200);
        assertThat(status(node, NONE, "GET", owned, "")).isEqualTo(404);
        assertThat(status(node, EVIL, "GET", owned, "")).isEqualTo(404);
        assertThat(status(node, ACME, "GET", owned, "")).isEqualTo(200);
      }
    }
  }

  @Test
  void whatATenantKeepsIsCountedOnAllMachinesAndChargedOnce() throws Exception {
    byte[] first = bytes(41, 60_000);
    byte[] second = bytes(42, 60_000);
    try (var cluster = cluster("one", "public_read=false")) {
      cluster.tenants =
          new TenantTable(
              List.of(new TenantTerms("acme", 1, Map.of(TenantLimit.STORED, 100_000L))));
      long asked = System.nanoTime();
      assertThat(status(cluster.node("a"), ACME, "PUT", first, "")).isEqualTo(201);
      assertThat(status(cluster.node("b"), EVIL, "PUT", first, "")).isEqualTo(201);
      Rig b = cluster.node("b");
      // All three are asked to accept, and b has when the last of its own writes has ended.
      eventually("b has heard of it", () -> tried(b, ACME, "PUT", second) == 507);
      assertThat(status(b, ACME, "PUT", first, "")).as("its own").isEqualTo(200);
      assertThat(Rig.words(ask(b, ACME, "PUT", "/o/" + address(second), second)))
          .contains("tenant-quota", "\"used\":\"60000\"");
      eventually("charged", () -> charged(cluster, "acme") > 0 && charged(cluster, "evil") > 0);
      for (String tenant : List.of("acme", "evil")) {
        long before = charged(cluster, tenant);
        long most = first.length * ((System.nanoTime() - asked) / 1_000_000 + 50) / 1000;
        assertThat(before).as(tenant + " by one machine").isLessThanOrEqualTo(most);
      }
      assertThat(status(cluster.node("c"), ACME, "DELETE", first, "")).isEqualTo(204);
      eventually("there is room again", () -> tried(b, ACME, "PUT", second) == 201);
    }
  }

  private static long charged(ClusterRig cluster, String tenant) {
    return cluster.ledger.units(tenant, Meter.Unit.OBJECT_BYTE_SECONDS);
  }
}
