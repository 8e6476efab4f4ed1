package dev.ron.edge.api;

import dev.ron.capability.Ask;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.disk.MountedPack;
import dev.ron.edge.disk.PackShelf;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Exchange;
import java.time.Instant;

/**
 * What the verbs about packs share.
 *
 * <p>Threading: immutable; what it holds is thread-safe.
 *
 * @param publicUrl where clients reach the edge, empty to take the authority they asked for
 */
record PackDesk(PackShelf shelf, Rights rights, EdgeMetrics metrics, String publicUrl) {
  /** The pack of this name; 404 if there is none. */
  MountedPack pack(String name) throws Refusal {
    return shelf
        .find(name)
        .orElseThrow(() -> rejected(new EdgeFault.NotFound("no pack of this name is mounted")));
  }

  /** The attempt to read a whole pack. */
  Ask reading(Exchange exchange, String pack) {
    return rights.reading().onPath(exchange.path()).onPack(pack);
  }

  /** Throws if the request's capability does not let it. */
  void permit(Exchange exchange, Ask ask) throws Refusal {
    Refusal refusal = rights.refusal(exchange, ask);
    if (refusal != null) {
      throw refusal;
    }
  }

  Refusal rejected(EdgeFault fault) {
    metrics.rejected(fault);
    return Problems.refusal(fault);
  }

  Answer refused(EdgeFault fault) {
    metrics.rejected(fault);
    return Problems.answer(fault);
  }

  Headers hit(Headers headers) {
    metrics.hits().inc();
    return CacheStatus.pack().on(headers);
  }

  Instant wall() {
    return rights.time().wall();
  }

  /** Where a client finds this edge, as it asked for it. */
  String base(Exchange exchange) {
    return publicUrl.isEmpty() ? "http://" + exchange.head().authority() : publicUrl;
  }
}
