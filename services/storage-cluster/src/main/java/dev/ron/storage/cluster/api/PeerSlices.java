package dev.ron.storage.cluster.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Grain;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.Slice;
import dev.ron.blake3.bao.SliceRange;
import dev.ron.content.ContentStat;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.node.ClusterNode.Kind;
import dev.ron.storage.cluster.node.ClusterNode.Purpose;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.node.PeerMessages;
import dev.ron.storage.object.Permits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * Bytes for other nodes, as slices that they check against the address.
 *
 * <p>Threading: immutable.
 */
record PeerSlices(LocalNode node, Permits places) {
  private static final String TYPE = "application/octet-stream";
  private static final int GROUP_BYTES = 64 << 10;

  /** Asked for at once: four times what one question of ours asks. */
  private static final int LENGTH_MAX = 16 << 20;

  PeerHandler slice(Kind kind) {
    return request -> {
      Address address = request.address();
      long from = PeerRoutes.longNumber(request, "from", Long.MAX_VALUE >> 1);
      int length = PeerRoutes.number(request, "length", LENGTH_MAX);
      boolean repair = "repair".equals(request.query().first("for"));
      if (repair) {
        node.pace().afterReaders();
      }
      try (Permits.Place _ = places.enter()) {
        Optional<ContentStat> stat = node.volumes(kind).stat(address);
        if (stat.isEmpty()) {
          return Answer.problem(new StorageFault.NotFound(address));
        }
        byte[] slice = slice(kind, stat.get(), from, length);
        Answer answer = Answer.bytes(200, TYPE, slice);
        if (!repair) {
          return answer;
        }
        node.pace().served(slice.length);
        String share = Double.toString(node.pace().budget().share());
        return answer.with(PeerMessages.PACE_SHARE, share);
      }
    };
  }

  private byte[] slice(Kind kind, ContentStat stat, long from, int length) throws IOException {
    Optional<Outboard> tree = node.tree(kind, stat.address());
    if (tree.isEmpty()) {
      throw Refusal.of(new StorageFault.Integrity(stat.address(), from));
    }
    long first = Math.min(from, Math.max(0, stat.sizeBytes() - 1)) / GROUP_BYTES * GROUP_BYTES;
    long end = Math.min(stat.sizeBytes(), from + length);
    long last = Math.min(stat.sizeBytes(), Math.ceilDiv(end, GROUP_BYTES) * GROUP_BYTES);
    byte[] bytes = bytes(kind, stat, first, (int) Math.max(0, last - first));
    var out = new ByteArrayOutputStream(bytes.length + 4096);
    boolean good =
        Slice.write(
                tree.get(),
                (offset, into, at, count) ->
                    System.arraycopy(bytes, (int) (offset - first), into, at, count),
                new SliceRange(from, length),
                Grain.GROUP,
                out)
            .isGood();
    if (!good) {
      throw Refusal.of(new StorageFault.Integrity(stat.address(), from));
    }
    return out.toByteArray();
  }

  private byte[] bytes(Kind kind, ContentStat stat, long from, int length) throws IOException {
    try {
      return node.read(kind, stat, from, length, Purpose.READER).orElse(new byte[0]);
    } catch (IOException e) {
      throw Refusal.of(new StorageFault.Integrity(stat.address(), from));
    }
  }

  PeerHandler tree() {
    return request -> {
      Address address = request.address();
      try (Permits.Place _ = places.enter()) {
        Optional<Outboard> tree =
            node.volumes(Kind.OBJECT).stat(address).isPresent()
                ? node.tree(Kind.OBJECT, address)
                : node.coded(address).map(object -> object.tree());
        return tree.map(found -> Answer.bytes(200, TYPE, found.stored()))
            .orElseGet(() -> Answer.problem(new StorageFault.NotFound(address)));
      }
    };
  }

  PeerHandler coded() {
    return request -> {
      Address address = request.address();
      try (Permits.Place _ = places.enter()) {
        return node.coded(address)
            .map(object -> Answer.bytes(200, TYPE, object.encoded()))
            .orElseGet(() -> Answer.problem(new StorageFault.NotFound(address)));
      }
    };
  }
}
