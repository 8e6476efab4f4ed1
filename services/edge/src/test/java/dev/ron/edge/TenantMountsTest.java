package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mount that is a tenant's is to others as if it were not there. */
@Timeout(180)
final class TenantMountsTest {
  private static final SplittableRandom RANDOM = new SplittableRandom(24);
  private static final KeyRing RING = KeyRing.generate(RANDOM);
  private static final Verifier VERIFIER = new Verifier(new Trust(RING, new Revocations(Set.of())));

  @TempDir private Path folder;

  private static String token(Caveat... caveats) {
    return new TokenMint(RING, RANDOM).mint(List.of(caveats)).token();
  }

  private static String said(HttpResponse<String> answer) {
    return answer.statusCode()
        + " "
        + answer.body().replaceAll("\"(corr_id|instance)\":\"[^\"]*\"", "")
        + answer.headers().firstValue("Cache-Status").orElse("");
  }

  @Test
  void aTenantsMountIsServedToItAndToOperators() throws Exception {
    String acme = token(new Caveat.Tenant("acme"));
    String evil = token(new Caveat.Tenant("evil"));
    try (var origin = FakeOrigin.answering("Cache-Control: max-age=60", "secret");
        var open = FakeOrigin.answering("Cache-Control: max-age=60", "shown");
        Rig rig =
            Rig.checking(
                folder,
                VERIFIER,
                Map.of(
                    "/own/", List.of(origin.url(), "tenant = \"acme\""),
                    "/all/", List.of(open.url())))) {
      for (String path : List.of("/own/a", "/own/", "/own/%61", "/own/../own/a", "/own/a?x")) {
        for (String method : List.of("GET", "HEAD", "POST", "DELETE", "TRACE")) {
          String none = said(rig.send(method, path.replace("own", "none")));
          assertThat(said(rig.send(method, path, "Authorization", "Bearer " + evil)))
              .as(method + " " + path)
              .isEqualTo(none);
          assertThat(said(rig.send(method, path))).isEqualTo(none);
        }
      }
      assertThat(origin.requests()).isZero();
      for (String token : List.of(acme, token(), acme)) {
        assertThat(rig.get("/own/a", "Authorization", "Bearer " + token).body())
            .isEqualTo("secret");
        assertThat(rig.get("/own/a?cap=" + token).body()).isEqualTo("secret");
      }
      assertThat(rig.get("/own/a", "Authorization", "Bearer " + evil).statusCode())
          .as("what is stored by now")
          .isEqualTo(404);
      assertThat(rig.get("/all/a", "Authorization", "Bearer " + evil).body()).isEqualTo("shown");
    }
  }

  /** Packs are the operator's files, for every client; any other route would need a row here. */
  @Test
  void besidesMountsThereArePacksAlone() throws Exception {
    try (var open = FakeOrigin.answering("Cache-Control: max-age=60", "shown");
        Rig rig = Rig.checking(folder, VERIFIER, Map.of("/all/", List.of(open.url())))) {
      String document = rig.get("/openapi.json").body();
      var operations = new TreeSet<String>();
      Matcher each = Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(document);
      while (each.find()) {
        operations.add(each.group(1));
      }
      operations.removeAll(Set.of("healthz", "readyz", "metrics", "version", "openapi"));
      assertThat(operations)
          .containsExactly("glyphs", "map", "pack", "packs", "page", "style", "tile", "tilejson");
    }
  }

  /** What is stored is found by its origin. */
  @Test
  void anUpstreamIsOfOneOwner() {
    String upstream = "http://127.0.0.1:1";
    assertThatThrownBy(
            () ->
                Rig.checking(
                    folder,
                    VERIFIER,
                    Map.of(
                        "/own/", List.of(upstream, "tenant = \"acme\""),
                        "/all/", List.of(upstream))))
        .hasMessageContaining("one of them is a tenant's");
  }
}
