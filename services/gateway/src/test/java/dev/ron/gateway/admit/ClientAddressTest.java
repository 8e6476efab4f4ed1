package dev.ron.gateway.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.forward.TrustedPeers;
import dev.ron.http.Headers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientAddressTest {
  private final ClientAddress clients =
      new ClientAddress(new TrustedPeers(List.of("10.0.0.0/8", "fd00::/8")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # peer         | field           | value                            | client
          192.0.2.7      | X-Forwarded-For | 198.51.100.1                     | c0000207
          10.0.0.1       | X-Other         | 198.51.100.1                     | 0a000001
          10.0.0.1       | X-Forwarded-For | 198.51.100.1                     | c6336401
          10.0.0.1       | X-Forwarded-For | 192.0.2.1, 198.51.100.1          | c6336401
          10.0.0.1       | X-Forwarded-For | 198.51.100.1:4711                | c6336401
          10.0.0.1       | X-Forwarded-For | 2001:db8:1:2:3:4:5:6             | 20010db800010002
          10.0.0.1       | X-Forwarded-For | 198.51.100.1, unknown            | 0a000001
          10.0.0.1       | X-Forwarded-For | 198.51.100.1,                    | 0a000001
          fd00::1        | Forwarded       | for=192.0.2.1, for=198.51.100.1  | c6336401
          10.0.0.1       | Forwarded       | for="[2001:db8:1:2:3:4:5:6]:80"  | 20010db800010002
          10.0.0.1       | Forwarded       | for=_hidden                      | 0a000001
          10.0.0.1       | Forwarded       | for=                             | 0a000001
          2001:db8::1:2  | X-Other         | x                                | 20010db800000000
          """)
  void theClientIsWhoTheNearestTrustedPeerSaw(
      String peer, String field, String value, String client) {
    var from = new InetSocketAddress(InetAddress.ofLiteral(peer), 4711);
    assertThat(clients.of(from, Headers.of(field, value), false)).isEqualTo(client);
  }
}
