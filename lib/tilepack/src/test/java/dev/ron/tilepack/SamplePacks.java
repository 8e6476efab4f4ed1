package dev.ron.tilepack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import dev.ron.tilepack.tile.TileType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;

/** Packs for tests, and the calls that open them. */
final class SamplePacks {
  private SamplePacks() {}

  static final String METADATA =
      """
      {"name":"test","attribution":"nobody","vector_layers":\
      [{"id":"a","minzoom":0,"maxzoom":3,"fields":{"kind":"String"}}],"tilestats":{"x":[1]}}""";

  static byte[] stored(TileCoord tile) {
    return ("tile " + tile).getBytes(UTF_8);
  }

  /** All tiles up to a zoom; the sea, a checkered part of it, is one and the same tile. */
  static PmtilesWriter world(TileType type, int zoomMax) {
    var writer = new PmtilesWriter(type, Compression.NONE, Bounds.WORLD, METADATA);
    for (long id = 0; id < TileId.first(zoomMax + 1); id++) {
      TileCoord tile = TileId.coord(id);
      writer.add(tile, isSea(tile) ? "sea".getBytes(UTF_8) : stored(tile));
    }
    return writer;
  }

  static boolean isSea(TileCoord tile) {
    return tile.zoom() > 1 && tile.x() % 4 > 1;
  }

  static PmtilesWriter.Layout layout(Compression internal, int leafEntries) {
    return new PmtilesWriter.Layout(internal, packer(internal), leafEntries, leafEntries < 4096);
  }

  private static UnaryOperator<byte[]> packer(Compression compression) {
    return switch (compression) {
      case NONE -> plain -> plain;
      case GZIP -> PmtilesWriter::gzip;
      case ZSTD -> Zstd::compress;
      case BROTLI -> SamplePacks::brotli;
      case UNKNOWN -> throw new IllegalArgumentException();
    };
  }

  private static byte[] brotli(byte[] plain) {
    Brotli4jLoader.ensureAvailability();
    try {
      return Encoder.compress(plain);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static DirectoryCache cache() {
    return new DirectoryCache(1 << 20);
  }

  static Pack opened(byte[] pmtiles) {
    return switch (Packs.open(pmtiles, cache())) {
      case Packs.Opening.Opened(Pack pack) -> pack;
      case Packs.Opening.Refused(PackFault fault) -> throw new AssertionError(fault.toString());
    };
  }

  /** Opens and reads everything; the fault that ends it, or {@code good}. */
  static String verdict(byte[] pmtiles) {
    return switch (Packs.open(pmtiles, cache())) {
      case Packs.Opening.Refused(PackFault fault) -> fault.code() + ": " + fault.detail();
      case Packs.Opening.Opened(Pack pack) -> verdict(pack);
    };
  }

  static String verdict(Pack pack) {
    return switch (pack.check().run()) {
      case PackCheck.Progress.Refused(PackFault fault) -> fault.code() + ": " + fault.detail();
      case PackCheck.Progress.Good _ -> "good";
      case PackCheck.Progress.Going _ -> throw new AssertionError("not at the end");
    };
  }
}
