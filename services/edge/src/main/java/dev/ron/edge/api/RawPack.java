package dev.ron.edge.api;

import dev.ron.edge.EdgeFault;
import dev.ron.edge.pack.MountedPack;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.ETag;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.BodySink;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.tilepack.PackHeader;
import java.io.IOException;
import java.util.List;

/**
 * {@code GET /edge/assets/{pack}.pmtiles}: the pack itself, whole or in ranges, so that any client
 * of the format can read it from here.
 *
 * <p>Threading: immutable.
 */
record RawPack(PackContext context) implements Blocking {
  private static final String PMTILES = "application/vnd.pmtiles";
  private static final String MBTILES = "application/vnd.sqlite3";
  static final List<String> MEDIA_TYPES = List.of(PMTILES, MBTILES);
  private static final int STEP_BYTES = 64 * 1024;

  @Override
  public Answer handle(Exchange exchange) throws Refusal {
    String file = exchange.param("pack");
    int dot = file.lastIndexOf('.');
    MountedPack pack = context.pack(file.substring(0, dot));
    PackHeader.Format format = pack.pack().header().format();
    boolean pmtiles = format == PackHeader.Format.PMTILES;
    if (pmtiles != file.endsWith(".pmtiles")) {
      throw Refusal.of(new EdgeFault.NotFound("the pack is not in this format"));
    }
    context.permit(exchange, context.reading(exchange, pack.name()));
    var whole =
        new Representation(
            ETag.strong(pack.address().toString()),
            PackContext.ofPack(Headers.of("Content-Type", pmtiles ? PMTILES : MBTILES)),
            pack.pack().bytes().size(),
            (status, headers, offset, length) -> part(pack, status, headers, offset, length));
    return context.answer(whole, exchange);
  }

  private static Answer part(
      MountedPack pack, int status, Headers headers, long offset, long length) {
    return Answer.stream(
        status, headers, length, sink -> copy(pack, offset, offset + length, sink));
  }

  /** A pack that is replaced stays open until this is through. */
  private static Headers copy(MountedPack pack, long from, long to, BodySink sink)
      throws IOException {
    if (!pack.enter()) {
      throw new IOException("the pack was replaced");
    }
    try {
      byte[] step = new byte[(int) Math.min(STEP_BYTES, to - from)];
      for (long at = from; at < to; at += step.length) {
        int count = (int) Math.min(step.length, to - at);
        pack.pack().bytes().read(at, step, count);
        sink.write(step, 0, count);
      }
      return new Headers(1);
    } finally {
      pack.leave();
    }
  }

  static boolean isRaw(String file) {
    return file.endsWith(".pmtiles") || file.endsWith(".mbtiles");
  }
}
