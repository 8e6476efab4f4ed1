package dev.ron.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {
  private static final String HINT =
      "must be host:port, as in 127.0.0.1:8082 or [::1]:8082; port 0 takes a free one";

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8082, 127.0.0.1, 8082",
    "0.0.0.0:0, 0.0.0.0, 0",
    "localhost:65535, localhost, 65535",
    "a-1.b_c.example:80, a-1.b_c.example, 80",
    "[::1]:8082, ::1, 8082",
    "[::]:0, ::, 0",
    "[2001:db8::1]:443, 2001:db8::1, 443",
    "[::ffff:1.2.3.4]:1, ::ffff:1.2.3.4, 1",
  })
  void goodForms(String text, String host, int port) {
    assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''              | HINT
          localhost       | HINT
          8082            | HINT
          localhost:      | HINT
          localhost:http  | HINT
          localhost:-1    | HINT
          localhost:123456 | HINT
          [::1]           | HINT
          [::1]8082       | HINT
          ::1:8082        | HINT; put an IPv6 host in brackets
          :8082           | HINT; write 0.0.0.0 to listen on every interface
          []:8082         | HINT; write 0.0.0.0 to listen on every interface
          [localhost]:1   | HINT; brackets are for IPv6
          localhost:65536 | port 65536 must be from 0 to 65535
          256.0.0.1:1     | host "256.0.0.1" is not an IPv4 address
          127.1:1         | host "127.1" is not an IPv4 address
          2130706433:1    | host "2130706433" is not an IPv4 address
          [::g]:1         | host "::g" is not an IPv6 address
          [1:2]:1         | host "1:2" is not an IPv6 address
          -a:1            | host "-a" is not a host name
          a..b:1          | host "a..b" is not a host name
          a b:1           | host "a b" is not a host name
          http//x:1       | host "http//x" is not a host name
          """)
  void badForms(String text, String why) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why.replace("HINT", HINT));
  }
}
