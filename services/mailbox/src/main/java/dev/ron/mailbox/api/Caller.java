package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.mailbox.core.message.TopicOwner;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: the capability that let them in, and the name of their request.
 *
 * <p>Threading: immutable.
 *
 * @param bearer null where none is needed
 */
public record Caller(@Nullable Bearer bearer, String corrId) {
  public static Caller of(Exchange exchange) {
    return new Caller(exchange.attachment(Bearer.class), exchange.corrId());
  }

  /** Whose topics it reaches: its tenant's, or all. */
  public TopicOwner owner() {
    return bearer == null ? TopicOwner.OPERATOR : TopicOwner.of(bearer.capability().tenant());
  }

  /** Why the capability is worth nothing any more; null while it holds. */
  @Nullable Refusal ended() {
    return bearer == null ? null : bearer.ended();
  }
}
