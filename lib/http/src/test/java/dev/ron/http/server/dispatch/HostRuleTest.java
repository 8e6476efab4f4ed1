package dev.ron.http.server.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Bind;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names a door answers to; a page that gave its name the address 127.0.0.1 is not one. */
final class HostRuleTest {
  private static final Bind LOOPBACK = new Bind.Tcp("127.0.0.1", 0);
  private static final Bind PUBLIC = new Bind.Tcp("0.0.0.0", 0);
  private static final Bind UNIX = new Bind.Unix(Path.of("/run/ron/socket"), Set.of(1));

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      textBlock =
          """
          localhost             | true
          LOCALHOST:8080        | true
          127.0.0.1             | true
          127.0.0.1:8090        | true
          127.255.3.4           | true
          [::1]                 | true
          [::1]:80              | true
          ''                    | true
          node.example          | true
          Node.Example:443      | true
          a.inner.example       | true
          b.a.inner.example:1   | true
          inner.example         | false
          evil.example          | false
          evil.example:8090     | false
          127.0.0.1.evil.example| false
          127.evil.example.com  | false
          localhost.evil.example| false
          xnode.example         | false
          10.0.0.1              | false
          [::2]                 | false
          0.0.0.0               | false
          """)
  void aLoopbackDoorAnswersToItsOwnNames(String authority, boolean answers) {
    var rule = HostRule.of(LOOPBACK, List.of("node.example", "*.inner.example"));
    assertThat(rule.check(authority) == null).isEqualTo(answers);
  }

  @ParameterizedTest
  @CsvSource({"evil.example", "10.0.0.1", "localhost"})
  void aPublicDoorWithoutAListAndASocketAnswerToAny(String authority) {
    assertThat(HostRule.of(PUBLIC, List.of()).check(authority)).isNull();
    assertThat(HostRule.of(UNIX, List.of()).check(authority)).isNull();
    assertThat(HostRule.of(LOOPBACK, List.of("*")).check(authority)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"evil.example,false", "node.example,true", "localhost,true"})
  void aPublicDoorWithAListAnswersToThat(String authority, boolean answers) {
    var rule = HostRule.of(PUBLIC, List.of("node.example"));
    assertThat(rule.check(authority) == null).isEqualTo(answers);
  }
}
