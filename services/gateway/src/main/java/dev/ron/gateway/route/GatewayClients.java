package dev.ron.gateway.route;

import dev.ron.http.client.HttpClient;

/**
 * What upstreams are asked by: those of the configuration, and machines of the cluster, to whom
 * this one shows its certificate.
 *
 * <p>Threading: thread-safe.
 *
 * @param machines the same as {@code upstreams} for a gateway of a node alone
 */
public record GatewayClients(HttpClient upstreams, HttpClient machines) implements AutoCloseable {
  public HttpClient to(Upstream upstream) {
    return upstream.isElsewhere() ? machines : upstreams;
  }

  @Override
  public void close() {
    upstreams.close();
    if (machines != upstreams) {
      machines.close();
    }
  }
}
