package dev.ron.edge.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Box;
import dev.ron.decode.ContentCoding;
import dev.ron.decode.DecodeLimits;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.pack.MountedPack;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.AcceptEncoding;
import dev.ron.http.field.ETag;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.tilepack.Compression;
import dev.ron.tilepack.PackDecompression;
import dev.ron.tilepack.TileLookup;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import dev.ron.tilepack.tile.TileType;

/**
 * {@code GET /edge/assets/{pack}/{z}/{x}/{y}.{ext}}: one tile.
 *
 * <p>A compressed tile goes out as it is stored to clients that take that, and decoded under the
 * guard to all others. Tiles that were asked for lately are answered from memory on the event loop;
 * all others may wait for the disk and get a thread.
 *
 * <p>Threading: thread-safe.
 */
final class Tile implements Inline {
  /** What a few thousand tiles of a busy map take. */
  private static final long LATELY_BYTES_MAX = 32 << 20;

  private static final int ENTRY_BYTES = 256;

  private final PackContext context;
  private final DecodeLimits limits;
  private final Cache<Key, Representation> lately =
      Caffeine.newBuilder()
          .maximumWeight(LATELY_BYTES_MAX)
          .<Key, Representation>weigher((_, tile) -> (int) tile.length() + ENTRY_BYTES)
          .executor(Runnable::run)
          .build();

  /** The pack as an object, so that a replacement never meets the old one's tiles. */
  private record Key(MountedPack pack, long id, boolean stored) {}

  /** What is asked for. */
  private record TileRequest(MountedPack pack, TileCoord place) {}

  Tile(PackContext context, DecodeLimits limits) {
    this.context = context;
    this.limits = limits;
  }

  @Override
  public void handle(Exchange exchange) throws Refusal {
    TileRequest wanted = wanted(exchange);
    context.permit(
        exchange,
        context
            .rights()
            .reading()
            .onPath(exchange.path())
            .onTile(
                wanted.pack.name(),
                wanted.place.zoom(),
                Box.ofTile(wanted.place.zoom(), wanted.place.x(), wanted.place.y())));
    var taken = AcceptEncoding.parse(exchange.headers().all("Accept-Encoding"));
    long id = TileId.of(wanted.place);
    boolean stored = takes(taken, wanted.pack.pack().header().tileCompression());
    Representation known = lately.getIfPresent(new Key(wanted.pack, id, stored));
    if (known != null) {
      exchange.answer(context.answer(known, exchange));
    } else {
      exchange.block(waiting -> read(waiting, wanted, taken));
    }
  }

  private TileRequest wanted(Exchange exchange) throws Refusal {
    MountedPack pack = context.pack(exchange.param("pack"));
    String file = exchange.param("y");
    int dot = file.indexOf('.');
    TileType type = pack.pack().header().tileType();
    if (dot < 0 || !type.answersTo(file.substring(dot + 1))) {
      throw Refusal.of(new EdgeFault.NotFound("tiles of this pack end in ." + type.extension()));
    }
    long zoom = number(exchange.param("z"));
    long x = number(exchange.param("x"));
    long y = number(file.substring(0, dot));
    if (zoom > TileCoord.ZOOM_MAX || !TileCoord.exists((int) zoom, x, y)) {
      throw Refusal.of(new EdgeFault.NotFound("there is no such tile"));
    }
    return new TileRequest(pack, new TileCoord((int) zoom, (int) x, (int) y));
  }

  private static long number(String text) {
    return text.matches("0|[1-9][0-9]{0,9}") ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  private Answer read(Exchange exchange, TileRequest wanted, AcceptEncoding taken) throws Refusal {
    if (!wanted.pack.enter()) {
      return Answer.problem(new EdgeFault.Unavailable("the pack is being replaced"));
    }
    try {
      return switch (wanted.pack.pack().tile(wanted.place)) {
        case TileLookup.Found found -> found(exchange, wanted, found, taken);
        case TileLookup.Empty _ -> Answer.empty(204);
        case TileLookup.Outside _ ->
            Answer.problem(new EdgeFault.NotFound("the tile is outside the pack"));
        case TileLookup.Broken(var fault) ->
            Answer.problem(new EdgeFault.Unavailable(fault.detail()));
      };
    } finally {
      wanted.pack.leave();
    }
  }

  private Answer found(
      Exchange exchange, TileRequest wanted, TileLookup.Found found, AcceptEncoding taken) {
    boolean plain = found.compression() == Compression.NONE;
    boolean stored = plain || takes(taken, found.compression());
    byte[] bytes = found.stored();
    if (!stored) {
      switch (PackDecompression.unpack(found.compression(), bytes, limits)) {
        case PackDecompression.Unpacked.Plain(byte[] unpacked) -> bytes = unpacked;
        case PackDecompression.Unpacked.Refused(var fault) -> {
          return Answer.problem(new EdgeFault.DecompressCap(fault.detail()));
        }
      }
    }
    TileType type = wanted.pack.pack().header().tileType();
    Headers headers = PackContext.ofPack(Headers.of("Content-Type", type.mediaType()));
    if (!plain) {
      headers.add("Vary", "Accept-Encoding");
    }
    if (!plain && stored) {
      headers.add("Content-Encoding", found.compression().coding());
    }
    var tag = ETag.strong(new Address(Blake3.hash(bytes)).toString());
    Representation tile = Representation.of(tag, headers, bytes);
    boolean asDeclared = found.compression() == wanted.pack.pack().header().tileCompression();
    if (asDeclared) {
      lately.put(new Key(wanted.pack, TileId.of(wanted.place), stored), tile);
    }
    return context.answer(tile, exchange);
  }

  private static boolean takes(AcceptEncoding taken, Compression compression) {
    return compression == Compression.NONE
        || ContentCoding.of(compression.coding())
            .map(coding -> taken.thousandths(coding) > 0)
            .orElse(false);
  }
}
