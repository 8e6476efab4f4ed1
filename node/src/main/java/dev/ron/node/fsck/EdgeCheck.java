package dev.ron.node.fsck;

import dev.ron.content.store.StoreCheck;
import dev.ron.edge.cache.HeadCodec;
import dev.ron.edge.core.HeadFact;
import dev.ron.tilepack.DirectoryCache;
import dev.ron.tilepack.Pack;
import dev.ron.tilepack.PackCheck;
import dev.ron.tilepack.PackFault;
import dev.ron.tilepack.Packs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The heads and bodies of cached answers, which an upstream can give again, and packs, which it may
 * not.
 *
 * <p>Threading: owned by one thread.
 */
final class EdgeCheck {
  private static final String CACHE = "edge cache";
  private static final int DIRECTORY_BYTES = 1 << 20;

  private final NodeCheck check;

  private EdgeCheck(NodeCheck check) {
    this.check = check;
  }

  static void run(NodeCheck check) throws IOException {
    var edge = new EdgeCheck(check);
    edge.cache(check.folders().edge());
    for (Path place : check.folders().packs()) {
      for (Path file : Files.isDirectory(place) ? NodeCheck.list(place) : List.of(place)) {
        edge.pack(file);
      }
    }
  }

  private void cache(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    long heads =
        check.journal(
            CACHE, folder.resolve("heads"), (_, payload) -> head(payload), EdgeCheck::name);
    if (Files.exists(folder.resolve("content"))) {
      StoreCheck.Report report = StoreCheck.run(check.scope().disk(), folder.resolve("content"));
      report.files().forEach(what -> check.lost(CACHE, what));
      report.lost().forEach((address, why) -> check.lost(CACHE, address + ", " + why));
      report.unfinished().forEach(what -> check.unfinished(CACHE, "fill of " + what));
    }
    check.counted(CACHE, heads + " facts");
  }

  private void head(ByteBuffer payload) {
    try {
      var _ = HeadCodec.decode(payload);
    } catch (IOException | RuntimeException wrong) {
      check.lost(CACHE, "a head that cannot be read: " + wrong.getMessage());
    }
  }

  private static Optional<String> name(ByteBuffer remains) {
    try {
      return HeadCodec.decode(remains) instanceof HeadFact.Kept(var stored, _)
          ? Optional.of("the answer for " + stored.key())
          : Optional.empty();
    } catch (IOException | RuntimeException _) {
      return Optional.empty();
    }
  }

  private void pack(Path file) {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(".pmtiles") && !name.endsWith(".mbtiles")) {
      return;
    }
    switch (Packs.open(file, new DirectoryCache(DIRECTORY_BYTES))) {
      case Packs.Opening.Refused(PackFault fault) -> check.lost("pack " + name, fault.detail());
      case Packs.Opening.Opened(Pack pack) -> {
        try (pack) {
          if (pack.check().run() instanceof PackCheck.Progress.Refused(PackFault fault)) {
            check.lost("pack " + name, fault.detail());
          }
        }
      }
    }
  }
}
