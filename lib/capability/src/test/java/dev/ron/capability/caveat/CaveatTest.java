package dev.ron.capability.caveat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.RandomScope;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaveatTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          service = mailbox                  | Service
          service = edge,mailbox             | Service
          op = GET,dlq.read,s3:PutObject     | Operation
          tenant = acme                      | Tenant
          tenant = Acme-2.eu_west            | Tenant
          prefix = /                         | Prefix
          prefix = /o/                       | Prefix
          prefix = /o                        | Prefix
          prefix = /o/a%20b                  | Prefix
          prefix = orders.eu                 | Prefix
          prefix = orders.                   | Prefix
          expires = 2026-11-15T10:00:00Z     | Expiry
          expires = 1969-12-31T23:59:59Z     | Expiry
          rate = 1/s                         | Rate
          rate = 999999999999999999/s        | Rate
          bytes = 0                          | Bytes
          bytes = 1048576                    | Bytes
          pack = europe,world                | Pack
          zoom = 0-31                        | Zoom
          zoom = 7-7                         | Zoom
          bucket = logs,photos-2026.eu       | Bucket
          key = a/b//..                      | Key
          key = 100%25%20caf%C3%A9/%00       | Key
          bbox = -180,-90,180,90             | BoundingBox
          bbox = 13.0882097,52.3382448,13.7611609,52.6755087 | BoundingBox
          bbox = -0.5,0,0,0.25               | BoundingBox
          """)
  void textInTheLanguageIsRenderedAsItWasRead(String text, String kind) {
    Caveat caveat = Caveat.parse(text);
    assertThat(caveat.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(caveat.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          op = send,recv       | op = recv,send
          service = b,a,c      | service = a,b,c
          pack = world,europe  | pack = europe,world
          """)
  void listsAreReadInAnyOrderAndWrittenInOne(String read, String written) {
    Caveat caveat = Caveat.parse(read);
    assertThat(caveat.text()).isEqualTo(written);
    assertThat(Caveat.parse(written)).isEqualTo(caveat);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "account = 3735928559",
        "op=send",
        "op = ",
        "op =  send",
        " op = send",
        "op = send ",
        "op = send,",
        "op = ,send",
        "op = send,send",
        "op = send, recv",
        "op = *",
        "Op = send",
        "OP = send",
        "op = -send",
        "op = sénd",
        "op = send\n",
        "tenant = a,b",
        "tenant = ",
        "prefix = ",
        "prefix = //",
        "prefix = /a//b",
        "prefix = /../a",
        "prefix = /a/..",
        "prefix = /./a",
        "prefix = /a/.",
        "prefix = /%2e%2e/a",
        "prefix = /%2E",
        "prefix = /a%2Fb",
        "prefix = /a%5Cb",
        "prefix = /a%25",
        "prefix = /a%00",
        "prefix = /a%c3%a9",
        "prefix = /a%4",
        "prefix = /a;b",
        "prefix = /a b",
        "prefix = /a?b",
        "prefix = /a#b",
        "prefix = /a\\b",
        "prefix = a..b",
        "prefix = .a",
        "expires = 2026-11-15T10:00:00.5Z",
        "expires = 2026-11-15T10:00:00+00:00",
        "expires = 2026-11-15T10:00Z",
        "expires = 2026-11-15t10:00:00z",
        "expires = 2026-02-30T10:00:00Z",
        "expires = 2026-11-15T24:00:00Z",
        "expires = 2026-12-31T23:59:60Z",
        "expires = +10000-01-01T00:00:00Z",
        "expires = never",
        "rate = 0/s",
        "rate = -1/s",
        "rate = +1/s",
        "rate = 01/s",
        "rate = 1",
        "rate = 1/m",
        "rate = 1000000000000000000/s",
        "rate = /s",
        "bytes = -1",
        "bytes = -0",
        "bytes = 1k",
        "bytes = 007",
        "bytes = 99999999999999999999",
        "bytes = ١",
        "zoom = 3",
        "zoom = 3-2",
        "zoom = -1-2",
        "zoom = 0-32",
        "zoom = 00-3",
        "zoom = 0-+3",
        "zoom = 0-4294967296",
        "bucket = ",
        "bucket = *",
        "bucket = a/b",
        "key = ",
        "key = a b",
        "key = %2f",
        "bbox = 1,2,3",
        "bbox = 1,2,3,4,5",
        "bbox = 3,2,1,4",
        "bbox = 1,4,3,2",
        "bbox = -181,0,0,0",
        "bbox = 0,0,0,91",
        "bbox = 0.0,0,0,0",
        "bbox = -0,0,0,0",
        "bbox = 0,0,1e1,0",
        "bbox = 0,0,0.12345678,0",
        "bbox = 0,0,429.4967297,0",
      })
  void textOutsideTheLanguageIsUnknownAndAllowsNothing(String text) {
    Caveat caveat = Caveat.parse(text);
    assertThat(caveat).isInstanceOf(Caveat.Unknown.class);
    assertThat(caveat.text()).isEqualTo(text);
    assertThat(caveat.allows(AccessRequest.of("edge", "op", Instant.EPOCH))).isFalse();
  }

  @Test
  void everyCaveatComesBackFromItsText() {
    long seed = 0x5eed_0001L;
    var random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      Caveat caveat = RandomScope.caveat(random);
      assertThat(Caveat.parse(caveat.text())).as("seed %d, case %d", seed, i).isEqualTo(caveat);
    }
  }

  @Test
  void whatIsReadFromMangledTextIsAFixedPoint() {
    long seed = 0x5eed_0002L;
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder(RandomScope.caveat(random).text());
      for (int edits = random.nextInt(3); edits >= 0; edits--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, (char) (' ' + random.nextInt(96)));
          case 1 -> text.insert(at, (char) (' ' + random.nextInt(96)));
          default -> text.append(text.charAt(at));
        }
      }
      Caveat caveat = Caveat.parse(text.toString());
      assertThat(Caveat.parse(caveat.text())).as("seed %d, '%s'", seed, text).isEqualTo(caveat);
      if (!(caveat instanceof Caveat.Operation
          || caveat instanceof Caveat.Service
          || caveat instanceof Caveat.Pack
          || caveat instanceof Caveat.Bucket)) {
        assertThat(caveat.text()).as("seed %d", seed).isEqualTo(text.toString());
      }
    }
  }

  @Test
  void anExpiryIsRoundedDown() {
    assertThat(Caveat.Expiry.after(Instant.parse("2026-11-15T10:00:00.9Z"), Duration.ofMinutes(10)))
        .isEqualTo(Caveat.parse("expires = 2026-11-15T10:10:00Z"));
  }

  @Test
  void aListHoldsAtMost32Names() {
    var names = new TreeSet<String>();
    for (int i = 0; i < 32; i++) {
      names.add("n" + i);
    }
    String full = "op = " + String.join(",", names);
    assertThat(Caveat.parse(full)).isEqualTo(new Caveat.Operation(names));
    assertThat(Caveat.parse(full + ",more")).isInstanceOf(Caveat.Unknown.class);
  }

  @Test
  void aKnownCaveatCannotBePassedOffAsUnknown() {
    assertThatThrownBy(() -> new Caveat.Unknown("op = send"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Caveat.Operation(Set.of("a,b")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
