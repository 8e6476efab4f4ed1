package dev.ron.edge.api;

import dev.ron.edge.pack.MountedPack;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.tilepack.PackFault;
import dev.ron.tilepack.PackHeader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * {@code GET /edge/packs}: every pack that is served, and every file that is refused with why.
 *
 * <p>Threading: immutable.
 */
record PackList(PackContext context) implements Verb<Verb.None, PackList.Reply> {
  /**
   * @param bounds west, south, east and north in degrees
   * @param map the page that draws it
   */
  record ServedPack(
      String pack,
      String title,
      String address,
      long bytes,
      String format,
      String tiles,
      int zoomMin,
      int zoomMax,
      List<Double> bounds,
      String map) {}

  record RefusedFile(String file, String code, String detail) {}

  record Reply(List<ServedPack> packs, List<RefusedFile> refused) {}

  @Override
  public None parse(Exchange exchange) throws Refusal {
    context.permit(exchange, context.rights().reading().onPath(exchange.path()));
    return new None();
  }

  @Override
  public Reply handle(None request) {
    return new Reply(
        context.packs().all().values().stream().map(PackList::served).toList(),
        context.packs().refused().entrySet().stream()
            .map(entry -> refused(entry.getKey(), entry.getValue()))
            .toList());
  }

  private static ServedPack served(MountedPack pack) {
    PackHeader header = pack.pack().header();
    return new ServedPack(
        pack.name(),
        pack.pack().metadata().name(),
        pack.address().toString(),
        pack.pack().bytes().size(),
        header.format().name().toLowerCase(Locale.ROOT),
        header.tileType().extension(),
        header.zoomMin(),
        header.zoomMax(),
        TileJson.degrees(header.bounds()),
        "/edge/map/" + pack.name());
  }

  private static RefusedFile refused(Path file, PackFault fault) {
    return new RefusedFile(String.valueOf(file.getFileName()), fault.code(), fault.detail());
  }
}
