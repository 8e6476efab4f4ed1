package dev.ron.mailbox.api;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import java.util.Optional;

/**
 * A verb about one shard.
 *
 * <p>Where another machine decides the shard and this one does not forward, an HTTP client is sent
 * there with a 307 before anything is handled. A batch is taken apart and forwarded instead.
 *
 * <p>Threading: immutable.
 */
interface ShardVerb<Q extends ShardVerb.Request, A> extends FormVerb<Q, A> {
  /** What is asked, once it is known which shard decides it. */
  interface Request {
    int shard();
  }

  @Override
  default Blocking handler() {
    return exchange -> {
      Q request = parse(exchange);
      Optional<String> door = context().shards().door(request.shard());
      return door.isPresent()
          ? Answer.empty(307).with("Location", door.get() + exchange.head().target())
          : write(handle(request));
    };
  }
}
