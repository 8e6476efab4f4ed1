package dev.ron.edge.api;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.pack.MountedPack;
import dev.ron.edge.pack.MountedPacks;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import java.time.Instant;

/**
 * What the verbs about packs share.
 *
 * <p>Threading: immutable; what it holds is thread-safe.
 *
 * @param base what absolute links begin with; never what a request says of its host
 */
public record PackContext(MountedPacks packs, EdgeRights rights, EdgeMetrics metrics, String base) {
  /** The pack of this name; 404 if there is none. */
  MountedPack pack(String name) throws Refusal {
    return packs
        .find(name)
        .orElseThrow(() -> Refusal.of(new EdgeFault.NotFound("no pack of this name is mounted")));
  }

  /** The attempt to read a whole pack. */
  AccessRequest reading(Exchange exchange, String pack) {
    return rights.reading().onPath(exchange.path()).onPack(pack);
  }

  /** Throws if the request's capability does not let it. */
  void permit(Exchange exchange, AccessRequest ask) throws Refusal {
    Refusal refusal = rights.refusal(exchange, ask);
    if (refusal != null) {
      throw refusal;
    }
  }

  /** A hit, unless the request's conditions or ranges make it a refusal. */
  Answer answer(Representation of, Exchange exchange) {
    return metrics.hit(of.answer(exchange, wall()));
  }

  /** What every answer out of a pack says of where it comes from. */
  static Headers ofPack(Headers headers) {
    return CacheStatus.pack().on(headers);
  }

  Instant wall() {
    return rights.time().wall();
  }
}
