package dev.ron.http.server.guard;

import dev.ron.capability.Grant;
import dev.ron.http.server.exchange.Exchange;
import java.util.Optional;

/**
 * Whose things a request is told of where a service tells about itself: all tenants' for the
 * operator, a tenant's own, and none for a client that shows no capability.
 *
 * <p>Threading: immutable.
 *
 * @param isOperator sees all
 * @param tenant the only one that is shown
 */
public record MetricsReader(boolean isOperator, Optional<String> tenant) {
  /** Of a door that asks for no capability at all, too. */
  public static final MetricsReader OPERATOR = new MetricsReader(true, Optional.empty());

  private static final MetricsReader STRANGER = new MetricsReader(false, Optional.empty());

  /** As the door's guard has found. */
  public static MetricsReader of(Exchange exchange) {
    MetricsReader known = exchange.attachment(MetricsReader.class);
    if (known != null) {
      return known;
    }
    Grant grant = exchange.attachment(Grant.class);
    if (grant == null) {
      return STRANGER;
    }
    return grant.tenant().isEmpty() ? OPERATOR : new MetricsReader(false, grant.tenant());
  }
}
