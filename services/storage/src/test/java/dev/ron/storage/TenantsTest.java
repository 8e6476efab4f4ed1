package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
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
import static dev.ron.storage.TenantAttempts.operations;
import static dev.ron.storage.TenantAttempts.status;
import static dev.ron.storage.TenantAttempts.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.disk.RealDisk;
import dev.ron.storage.TenantAttempts.Attempt;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one tenant stored is to another as if it were not there: every route is asked by another
 * tenant in a storage that has objects and in one that has none, and answers the same.
 */
@Timeout(120)
final class TenantsTest {
  @TempDir private Path folder;

  private Rig rig(String name, String... settings) throws Exception {
    return new Rig(
        Rig.table(folder.resolve(name), settings), new RealDisk(), TenantAttempts.verifier());
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void noRouteTellsATenantOfAnothersObjects(String publicRead) throws Exception {
    try (Rig full = rig("full", "public_read=" + publicRead);
        Rig empty = rig("empty", "public_read=" + publicRead)) {
      assertThat(status(full, ACME, "PUT", SECRET, "")).isEqualTo(201);
      assertThat(status(full, ACME, "PUT", BOTH, "")).isEqualTo(201);
      for (int i = 0; i < 3; i++) {
        assertThat(status(full, ACME, "GET", SECRET, "")).as("read until it is hot").isEqualTo(200);
      }
      var begun = ask(full, ACME, "POST", "/o/uploads", new byte[0]);
      String upload = Rig.field(Rig.words(begun), "upload");
      ask(full, ACME, "PUT", "/o/uploads/" + upload + "/0", SECRET);
      Map<String, List<Attempt>> rows = attempts(upload);
      assertThat(rows.keySet()).as("a row for each route").isEqualTo(operations(full));
      String before = view(full, ACME, "", upload);
      for (String token : List.of(EVIL, DEFAULT)) {
        for (List<Attempt> row : rows.values()) {
          for (Attempt attempt : row) {
            String there = answer(full, attempt, token);
            assertThat(there).as(attempt.toString()).isEqualTo(answer(empty, attempt, token));
            assertThat(view(full, ACME, "", upload)).as(attempt.toString()).isEqualTo(before);
          }
        }
      }
      assertThat(answer(full, new Attempt("GET", "/o/" + address(SECRET), new byte[0]), NONE))
          .as("it is not public either")
          .isEqualTo(answer(empty, new Attempt("GET", "/o/" + address(SECRET), new byte[0]), NONE));
      assertThat(view(full, OPERATOR, "?tenant=acme", upload)).isEqualTo(before);
      assertThat(list(full, OPERATOR, "")).contains(address(SECRET).toString());
      assertThat(status(full, OPERATOR, "GET", SECRET, "")).isEqualTo(200);
    }
  }

  @Test
  void aBodyThatIsRefusedHoldsNoMemory() throws Exception {
    byte[] object = bytes(5, 1 << 20);
    try (Rig rig = rig("one", "body_memory=2MiB")) {
      for (int i = 0; i < 4; i++) {
        assertThat(status(rig, EVIL, "PUT", object, "?tenant=acme")).isEqualTo(400);
      }
      assertThat(status(rig, ACME, "PUT", object, "")).isEqualTo(201);
    }
  }

  @Test
  void aTenantThatLeavesItsUploadsOpenLeavesPlacesToOthers() throws Exception {
    try (Rig rig = rig("one", "uploads.max=4")) {
      assertThat(begun(rig, ACME)).isEqualTo(201);
      assertThat(begun(rig, ACME)).isEqualTo(201);
      assertThat(begun(rig, ACME)).isEqualTo(429);
      assertThat(begun(rig, EVIL)).isEqualTo(201);
      assertThat(begun(rig, EVIL)).isEqualTo(429);
      assertThat(begun(rig, OPERATOR)).isEqualTo(201);
      assertThat(begun(rig, OPERATOR)).isEqualTo(429);
    }
  }

  private static int begun(Rig rig, String token) throws Exception {
    return ask(rig, token, "POST", "/o/uploads", new byte[0]).statusCode();
  }

  @Test
  void theBytesGoWithTheLastReference() throws Exception {
    try (Rig rig = rig("one", "public_read=false")) {
      for (String token : List.of(ACME, EVIL, DEFAULT)) {
        assertThat(status(rig, token, "PUT", BOTH, "")).isEqualTo(201);
        assertThat(status(rig, token, "PUT", BOTH, "")).as("its own").isEqualTo(200);
      }
      for (String token : List.of(EVIL, DEFAULT, ACME)) {
        assertThat(status(rig, ACME, "GET", BOTH, "")).isEqualTo(200);
        assertThat(status(rig, token, "DELETE", BOTH, "")).isEqualTo(204);
        assertThat(status(rig, token, "DELETE", BOTH, "")).isEqualTo(404);
        assertThat(status(rig, token, "GET", BOTH, "")).isEqualTo(404);
        assertThat(list(rig, token, "")).doesNotContain("b3:");
      }
      Rig.eventually("the bytes are gone", () -> quiet(rig));
    }
  }

  private static boolean quiet(Rig rig) {
    try {
      return status(rig, OPERATOR, "GET", BOTH, "") == 404;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anOperatorActsForATenantAndDeletesForAll() throws Exception {
    try (Rig rig = rig("one", "public_read=false")) {
      assertThat(status(rig, OPERATOR, "PUT", BOTH, "")).isEqualTo(201);
      assertThat(status(rig, OPERATOR, "PUT", BOTH, "?tenant=acme")).isEqualTo(201);
      assertThat(list(rig, ACME, "")).contains(address(BOTH).toString());
      assertThat(list(rig, DEFAULT, "")).contains(address(BOTH).toString());
      assertThat(status(rig, OPERATOR, "DELETE", BOTH, "?tenant=acme")).isEqualTo(204);
      assertThat(status(rig, ACME, "GET", BOTH, "")).isEqualTo(404);
      assertThat(status(rig, DEFAULT, "GET", BOTH, "")).isEqualTo(200);
      assertThat(status(rig, ACME, "PUT", BOTH, "")).isEqualTo(201);
      assertThat(status(rig, OPERATOR, "DELETE", BOTH, "")).isEqualTo(204);
      for (String token : List.of(OPERATOR, ACME, DEFAULT)) {
        assertThat(status(rig, token, "GET", BOTH, "")).isEqualTo(404);
      }
    }
    try (Rig again = rig("one", "public_read=false")) {
      for (String token : List.of(OPERATOR, ACME, DEFAULT)) {
        assertThat(status(again, token, "GET", BOTH, "")).as("nor later").isEqualTo(404);
      }
    }
  }

  @Test
  void whatIsPublicIsWhatDefaultHas() throws Exception {
    try (Rig rig = rig("one", "public_read=true")) {
      status(rig, OPERATOR, "PUT", BOTH, "");
      status(rig, ACME, "PUT", SECRET, "");
      assertThat(status(rig, NONE, "GET", BOTH, "")).isEqualTo(200);
      assertThat(status(rig, EVIL, "GET", BOTH, "")).isEqualTo(200);
      assertThat(status(rig, EVIL, "DELETE", BOTH, "")).as("to read, not to own").isEqualTo(404);
      assertThat(status(rig, NONE, "GET", SECRET, "")).isEqualTo(404);
      assertThat(status(rig, EVIL, "GET", SECRET, "")).isEqualTo(404);
      HttpResponse<byte[]> own = ask(rig, ACME, "GET", "/o/" + address(SECRET), new byte[0]);
      assertThat(own.headers().firstValue("cache-control").orElseThrow())
          .as("no cache on the way may show it to others")
          .startsWith("private");
    }
  }

  @Test
  void aTenantsStreamAndItsUploadAreItsOwn() throws Exception {
    byte[] large = bytes(9, 3 << 20);
    try (Rig rig = rig("one", "public_read=false", "put_bytes=8MiB", "danger_ok=true")) {
      assertThat(status(rig, ACME, "PUT", large, "")).isEqualTo(201);
      assertThat(status(rig, ACME, "GET", large, "")).isEqualTo(200);
      assertThat(status(rig, EVIL, "GET", large, "")).isEqualTo(404);
      byte[] other = bytes(10, 3 << 20);
      assertThat(ask(rig, EVIL, "PUT", "/o/" + address(large), other).statusCode()).isEqualTo(409);
      assertThat(status(rig, EVIL, "GET", large, "")).isEqualTo(404);
      assertThat(status(rig, EVIL, "GET", other, "")).isEqualTo(404);
    }
  }
}
