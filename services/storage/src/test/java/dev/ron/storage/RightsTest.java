package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.disk.RealDisk;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RightsTest {
  private final SplittableRandom random = new SplittableRandom(5);
  private final KeyRing ring = KeyRing.generate(random);
  private final Verifier verifier = new Verifier(new Trust(ring, new Revocations(Set.of())));

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    // public_read, token, GET, list, repair, PUT, upload, DELETE
    "true,  none,    200, 401, 401, 401, 401, 401",
    "false, none,    401, 401, 401, 401, 401, 401",
    "true,  reader,  200, 403, 403, 403, 403, 403",
    "false, reader,  200, 403, 403, 403, 403, 403",
    "true,  writer,  403, 403, 403, 200, 201, 403",
    // it cannot read, so it does not learn that the object was there
    "false, writer,  403, 403, 403, 201, 201, 403",
    "true,  all,     200, 200, 200, 200, 201, 204",
    "false, all,     200, 200, 200, 200, 201, 204",
  })
  void whoMayDoWhat(
      boolean publicRead,
      String who,
      int get,
      int list,
      int repair,
      int put,
      int upload,
      int delete)
      throws Exception {
    byte[] object = bytes(1, 100);
    String path = "/o/" + address(object);
    try (Rig rig =
        new Rig(Rig.table(folder, "public_read=" + publicRead), new RealDisk(), verifier)) {
      assertThat(ask(rig, "PUT", path, object, token())).isEqualTo(201);
      String token = token(who);
      assertThat(ask(rig, "GET", path, new byte[0], token)).isEqualTo(get);
      assertThat(ask(rig, "GET", "/o", new byte[0], token)).isEqualTo(list);
      assertThat(ask(rig, "GET", "/repair", new byte[0], token)).isEqualTo(repair);
      assertThat(ask(rig, "PUT", path, object, token)).isEqualTo(put);
      assertThat(ask(rig, "POST", "/o/uploads", new byte[0], token)).isEqualTo(upload);
      assertThat(ask(rig, "DELETE", path, new byte[0], token)).isEqualTo(delete);
      assertThat(ask(rig, "GET", "/healthz", new byte[0], "")).isEqualTo(200);
    }
  }

  @Test
  void anUploadIsItsTenantsAlone() throws Exception {
    try (Rig rig = new Rig(Rig.table(folder), new RealDisk(), verifier)) {
      String acme = minted(new Caveat.Tenant("acme"));
      String other = minted(new Caveat.Tenant("other"));
      var begun = rig.send("POST", "/o/uploads", new byte[0], "Authorization", "Bearer " + acme);
      String upload = Rig.field(Rig.words(begun), "upload");
      assertThat(ask(rig, "GET", "/o/uploads/" + upload, new byte[0], acme)).isEqualTo(200);
      assertThat(ask(rig, "GET", "/o/uploads/" + upload, new byte[0], other)).isEqualTo(404);
      assertThat(ask(rig, "PUT", "/o/uploads/" + upload + "/0", new byte[5], other)).isEqualTo(404);
      assertThat(ask(rig, "PUT", "/o/uploads/" + upload + "/0", new byte[5], acme)).isEqualTo(200);
      String complete = "/o/uploads/" + upload + "/complete";
      assertThat(ask(rig, "POST", complete, new byte[0], other)).isEqualTo(404);
      assertThat(ask(rig, "POST", complete, new byte[0], acme)).isEqualTo(201);
      assertThat(ask(rig, "POST", complete, new byte[0], acme)).as("asked again").isEqualTo(201);
      assertThat(ask(rig, "POST", complete, new byte[0], other)).isEqualTo(404);
    }
  }

  @Test
  void aRateIsKept() throws Exception {
    try (Rig rig = new Rig(Rig.table(folder), new RealDisk(), verifier)) {
      String slow = minted(new Caveat.Rate(2));
      int refused = 0;
      for (int i = 0; i < 100 && refused == 0; i++) {
        refused = ask(rig, "GET", "/o?limit=1", new byte[0], slow) == 429 ? 1 : 0;
      }
      assertThat(refused).isEqualTo(1);
      assertThat(ask(rig, "GET", "/o?limit=1", new byte[0], token())).isEqualTo(200);
    }
  }

  @Test
  void aTokenForFewBytesIsHeldToThem() throws Exception {
    try (Rig rig = new Rig(Rig.table(folder), new RealDisk(), verifier)) {
      String small = minted(new Caveat.Bytes(10));
      assertThat(ask(rig, "POST", "/o", new byte[10], small)).isEqualTo(201);
      assertThat(ask(rig, "POST", "/o", new byte[11], small)).isEqualTo(403);
      var chunked =
          java.net.http.HttpRequest.newBuilder(rig.uri("/o"))
              .header("Authorization", "Bearer " + small)
              .POST(
                  java.net.http.HttpRequest.BodyPublishers.ofInputStream(
                      () -> new java.io.ByteArrayInputStream(new byte[11])))
              .build();
      assertThat(
              rig.client
                  .send(chunked, java.net.http.HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .as("a length that was not announced")
          .isEqualTo(413);
    }
  }

  private String token(String who) {
    return switch (who) {
      case "none" -> "";
      case "reader" -> minted(new Caveat.Operation(Set.of("get")));
      case "writer" -> minted(new Caveat.Operation(Set.of("put", "upload", "upload-part")));
      default -> token();
    };
  }

  private String token() {
    return minted();
  }

  private String minted(Caveat... caveats) {
    return new TokenMint(ring, random).mint(Stream.of(caveats).toList()).token();
  }

  private static int ask(Rig rig, String method, String path, byte[] body, String token)
      throws Exception {
    return token.isEmpty()
        ? rig.send(method, path, body).statusCode()
        : rig.send(method, path, body, "Authorization", "Bearer " + token).statusCode();
  }
}
