package dev.ron.edge.fill;

import dev.ron.edge.Mount;
import dev.ron.edge.core.AllowList;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.kernel.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The clients that ask upstreams: one for each kind of trust a mount can have.
 *
 * <p>A client finds a name's address, asks its policy about that address and connects to it and no
 * other, so that a name which turns to a private address meanwhile leads nowhere.
 *
 * <p>Threading: immutable; clients are thread-safe.
 */
public final class UpstreamClients implements AutoCloseable {
  private final Map<Trust, HttpClient> clients = new HashMap<>();

  /** What two mounts must have in common to share connections. */
  private record Trust(boolean allowPrivate, Optional<Path> trusted) {
    static Trust of(Mount mount) {
      return new Trust(mount.allowPrivate(), mount.trusted());
    }
  }

  public UpstreamClients(Scope scope, AllowList allowed) throws IOException {
    for (Mount mount : allowed.mounts()) {
      Trust trust = Trust.of(mount);
      if (!clients.containsKey(trust)) {
        HttpClientConfig config =
            HttpClientConfig.standard()
                .with(trust.allowPrivate() ? AddressPolicy.ANY : AddressPolicy.PUBLIC);
        clients.put(
            trust, new HttpClient(scope, trust.trusted().map(config::trusting).orElse(config)));
      }
    }
  }

  public HttpClient of(Mount mount) {
    return Objects.requireNonNull(clients.get(Trust.of(mount)));
  }

  @Override
  public void close() {
    clients.values().forEach(HttpClient::close);
  }
}
