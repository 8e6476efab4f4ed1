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
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which clients may speak as a node. */
@Timeout(60)
final class PeerRightsTest {
  private final SplittableRandom random = new SplittableRandom(6);
  private final KeyRing ring = KeyRing.generate(random);
  private final Verifier verifier = new Verifier(new Trust(ring, new Revocations(Set.of())));

  @TempDir private Path folder;

  @Test
  void nodesNeedTheOperationPeerAndItIsGoodForNothingElse() throws Exception {
    String peer = minted(new Caveat.Operation(Set.of("peer")));
    String reader = minted(new Caveat.Operation(Set.of("get", "list", "repair", "put")));
    try (var cluster =
        new ClusterRig(folder, 3, verifier, "durability.replication=2", "cluster.cap=" + peer)) {
      Rig node = cluster.node("a");
      byte[] object = bytes(1, 2000);
      Rig.eventually(
          "nodes show each other their capability",
          () -> ask(node, "PUT", "/o/" + address(object), object, reader) == 201);
      for (String path :
          List.of("/peer/status", "/peer/o", "/peer/o/" + address(object) + "?from=0&length=10")) {
        assertThat(ask(node, "GET", path, new byte[0], "")).as(path).isEqualTo(401);
        assertThat(ask(node, "GET", path, new byte[0], reader)).as(path).isEqualTo(403);
      }
      assertThat(ask(node, "GET", "/peer/status", new byte[0], peer)).isEqualTo(200);
      assertThat(ask(node, "DELETE", "/peer/o/" + address(object), new byte[0], reader))
          .isEqualTo(403);
      assertThat(ask(node, "PUT", "/o/" + address(object), object, peer)).isEqualTo(403);
      assertThat(ask(node, "GET", "/repair", new byte[0], peer)).isEqualTo(403);
    }
  }

  @Test
  void nonsenseIsRefused() throws Exception {
    try (var cluster = new ClusterRig(folder, 2, "durability.replication=2")) {
      Rig node = cluster.node("a");
      String path = "/peer/o/" + address(bytes(1, 10));
      assertThat(node.send("PUT", path, bytes(1, 10)).statusCode()).as("no write").isEqualTo(400);
      assertThat(node.send("PUT", path + "?write=w", bytes(2, 10)).statusCode())
          .as("other bytes")
          .isEqualTo(409);
      assertThat(node.get(path + "?from=0&length=99999999999").statusCode()).isEqualTo(400);
      assertThat(node.send("POST", "/peer/parts", new byte[] {'{', '}'}).statusCode())
          .isEqualTo(400);
      assertThat(node.get("/peer/nothing").statusCode()).isEqualTo(404);
    }
    try (Rig alone = Rig.open(folder.resolve("alone"))) {
      assertThat(alone.get("/peer/status").statusCode()).as("one node").isEqualTo(404);
    }
  }

  private String minted(Caveat... caveats) {
    return new TokenMint(ring, random).mint(List.of(caveats)).token();
  }

  private static int ask(Rig rig, String method, String path, byte[] body, String token) {
    try {
      return token.isEmpty()
          ? rig.send(method, path, body).statusCode()
          : rig.send(method, path, body, "Authorization", "Bearer " + token).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
