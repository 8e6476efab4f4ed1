package dev.ron.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.decode.ContentCoding;
import dev.ron.decode.DecodeFault;
import dev.ron.http.client.ClientFault;
import dev.ron.http.client.Origin;
import dev.ron.http.json.JsonFault;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of faults as clients see them: a changed row is a changed protocol. */
class HttpFaultTest {
  private static final Duration LIMIT = Duration.ofMillis(1500);

  @Test
  void theServersRows() {
    assertThat(
            rows(
                new HttpFault.Malformed("d"),
                new HttpFault.HeadCap(431, "d"),
                new HttpFault.VersionUnsupported("d"),
                new HttpFault.SlowSender("the head", LIMIT),
                new HttpFault.Misdirected("h"),
                new HttpFault.NotFound("d"),
                new HttpFault.MethodNotAllowed("GET, HEAD"),
                new HttpFault.ExpectationFailed(),
                new HttpFault.BodyCap(4),
                new HttpFault.Unsupported("d"),
                new HttpFault.Unauth("d"),
                new HttpFault.Forbidden("d"),
                new HttpFault.Quota("this server takes", LIMIT),
                new HttpFault.Internal()))
        .containsExactly(
            "400 malformed CALLER - d",
            "431 head-cap CALLER - d",
            "505 version-unsupported CALLER - d",
            "408 slow-sender CALLER - the head stalled for longer than 1500 ms",
            "421 misdirected CALLER - this door does not answer to the name h; ask by address or"
                + " as localhost, or add the name to node.hosts (for the gateway: gateway.hosts)",
            "404 not-found CALLER - d",
            "405 method-not-allowed CALLER - this path answers GET, HEAD",
            "417 expectation-failed CALLER - the only expectation met here is 100-continue",
            "413 body-cap CALLER - the body is longer than the 4 bytes taken here",
            "415 unsupported CALLER - d",
            "401 unauth CALLER - d",
            "403 forbidden CALLER - d",
            "429 quota CALLER PT1.5S more requests a second than this server takes; retry after"
                + " the time given",
            "500 internal US - the request failed for a reason that is in this server's log under"
                + " corr_id");
  }

  @Test
  void theClientsRows() {
    assertThat(
            rows(
                new ClientFault.ForbiddenAddress("h"),
                new ClientFault.Exhausted("h", 8),
                new ClientFault.ConnectTimeout("h", LIMIT),
                new ClientFault.NoConnection(new Origin(Origin.Scheme.HTTP, "h", 80), "d", false),
                new ClientFault.Upstream("d"),
                new ClientFault.Misframed("longer")))
        .containsExactly(
            "502 forbidden-address UPSTREAM - h has no address that this client may dial",
            "503 busy UPSTREAM - all 8 connections to h are busy",
            "504 timeout UPSTREAM - connecting to h took longer than its limit of 1500 ms",
            "502 upstream UPSTREAM - d",
            "502 upstream UPSTREAM - d",
            "502 misframed US - the request's body is longer than announced, so its connection"
                + " was cut");
  }

  @Test
  void theRowsOfBodies() {
    assertThat(
            rows(
                new DecodeFault.Unsupported("d"),
                new DecodeFault.DecodedCap(9),
                new DecodeFault.DecodedRatio(10),
                new DecodeFault.Malformed(ContentCoding.GZIP, "damaged"),
                new JsonFault.Syntax("$", "is not JSON"),
                new JsonFault.UnknownField("a.b"),
                new JsonFault.DuplicateKey("a"),
                new JsonFault.Trailing("$"),
                new JsonFault.WrongType("a", "must be text"),
                new JsonFault.TooDeep("a", 32),
                new JsonFault.TooLong("a", "is too long")))
        .containsExactly(
            "415 unsupported CALLER - d",
            "413 decoded-cap CALLER - the body has more than 9 bytes when decoded",
            "413 decoded-ratio CALLER - the body expands to more than 10 times its size",
            "400 malformed CALLER - the gzip body is damaged",
            "400 malformed CALLER - $: is not JSON",
            "400 malformed CALLER - a.b: is not a known field",
            "400 malformed CALLER - a: is there twice",
            "400 malformed CALLER - $: is followed by more",
            "400 malformed CALLER - a: must be text",
            "400 malformed CALLER - a: is nested deeper than 32",
            "400 malformed CALLER - a: is too long");
  }

  @Test
  void aRefusalHasItsFaultsStatusAndWords() {
    Refusal refusal = Refusal.of(new HttpFault.BodyCap(4));
    assertThat(refusal.status()).isEqualTo(413);
    assertThat(refusal).hasMessage("body-cap: the body is longer than the 4 bytes taken here");
    assertThat(refusal.getStackTrace()).isEmpty();
  }

  private static List<String> rows(Fault... faults) {
    return Stream.of(faults).map(Fault::said).map(HttpFaultTest::row).toList();
  }

  private static String row(Said said) {
    String rest = said.retryAfter().map(Duration::toString).orElse("-");
    return "%d %s %s %s %s".formatted(said.status(), said.code(), said.blame(), rest, said.text());
  }
}
