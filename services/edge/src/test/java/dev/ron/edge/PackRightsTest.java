package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Box;
import dev.ron.capability.caveat.Caveat;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A capability in the URL holds a map client to a pack, zooms and a box, and is never logged. */
final class PackRightsTest {
  private final SplittableRandom random = new SplittableRandom(5);
  private final KeyRing ring = KeyRing.generate(random);

  @TempDir private Path folder;

  private String token(Caveat... caveats) {
    return new TokenMint(ring, random).mint(Stream.of(caveats).toList()).token();
  }

  @Test
  void packZoomBoxAndExpiry() throws Exception {
    var trust = new Trust(ring, new Revocations(Set.of()));
    try (PackRig rig = new PackRig(folder, new Verifier(trust))) {
      rig.put("north.pmtiles", TestPacks.gzipped("north"));
      rig.await("/edge/packs", said -> said.contains("north"));
      String pack = token(new Caveat.Pack(Set.of("north")));
      String other = token(new Caveat.Pack(Set.of("south")));
      String zoom = token(new Caveat.Zoom(1, 2));
      String box = token(new Caveat.BoundingBox(new Box(0, 0, 1_800_000_000, 860_000_000)));
      String old = token(new Caveat.Expiry(Instant.EPOCH));
      assertThat(List.of(status(rig, "0/0/0", pack), status(rig, "1/1/0", pack))).containsOnly(200);
      assertThat(status(rig, "0/0/0", other)).isEqualTo(403);
      assertThat(status(rig, "0/0/0", zoom)).isEqualTo(403);
      assertThat(status(rig, "1/1/0", zoom)).isEqualTo(200);
      assertThat(status(rig, "1/1/0", box)).isEqualTo(200);
      assertThat(status(rig, "0/0/0", box)).isEqualTo(403);
      assertThat(status(rig, "0/0/0", old)).isEqualTo(401);
      assertThat(status(rig, "0/0/0", "nonsense")).isEqualTo(401);
      assertThat(rig.get("/edge/assets/north.pmtiles?cap=" + escaped(zoom)).statusCode())
          .as("a token for some zooms is none for the whole pack")
          .isEqualTo(403);
      assertThat(rig.metric("edge_rejects_total{reason=\"cap_scope\"}")).isEqualTo(4);
      assertThat(rig.metric("edge_rejects_total{reason=\"cap_auth\"}")).isEqualTo(2);
      assertThat(rig.pathsLogged()).noneMatch(line -> line.contains(pack) || line.contains(zoom));
    }
  }

  private static int status(PackRig rig, String tile, String token) throws Exception {
    return rig.get("/edge/assets/north/" + tile + ".mvt?cap=" + escaped(token)).statusCode();
  }

  private static String escaped(String token) {
    return URLEncoder.encode(token, StandardCharsets.UTF_8);
  }
}
