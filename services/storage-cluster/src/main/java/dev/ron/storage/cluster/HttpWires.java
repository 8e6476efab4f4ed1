package dev.ron.storage.cluster;

import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.tls.PeerTls;
import dev.ron.kernel.Scope;
import dev.ron.storage.cluster.node.HttpWire;
import dev.ron.storage.cluster.node.PeerWire;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The ways to other nodes over HTTP: to nodes that have proved themselves, and to nothing else.
 *
 * <p>Threading: immutable; the client is thread-safe.
 */
record HttpWires(HttpClient http, PeerTrust trust, Supplier<String> token)
    implements PeerWire.Wires {
  static final HttpClientConfig ANYWHERE = HttpClientConfig.standard().with(AddressPolicy.ANY);

  /**
   * @param minted a capability, unless the configuration has one
   */
  static PeerWire.Maker of(StorageClusterConfig config, Supplier<String> minted) {
    Supplier<String> token = config.cap().isEmpty() ? minted : config.cap()::reveal;
    return scope -> new HttpWires(client(scope, config.tls()), config.tls(), token);
  }

  private static HttpClient client(Scope scope, PeerTrust trust) throws IOException {
    Optional<PeerTls> certificates = trust.certificates();
    if (certificates.isPresent()) {
      return new HttpClient(scope, ANYWHERE, certificates.get());
    }
    // A name is looked up at each connection, so what it means is checked then.
    return new HttpClient(
        scope, trust.beyondLoopback() ? ANYWHERE : ANYWHERE.with(InetAddress::isLoopbackAddress));
  }

  /** Nodes come from a list that was checked; were it not, a stranger would still get nothing. */
  @Override
  public PeerWire to(String url) {
    return new HttpWire(http, url, trust.refusal(url).isPresent() ? () -> "" : token);
  }

  @Override
  public void close() {
    http.close();
  }
}
