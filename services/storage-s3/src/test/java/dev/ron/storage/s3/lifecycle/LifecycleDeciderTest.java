package dev.ron.storage.s3.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LifecycleDeciderTest {
  private static final LifecycleDay TEN_SECONDS = new LifecycleDay(Duration.ofSeconds(10));

  private static byte[] document(String rules) {
    return ("<LifecycleConfiguration>" + rules + "</LifecycleConfiguration>").getBytes(UTF_8);
  }

  private static LifecycleDecider decider(String rule) throws Refusal {
    String whole = "<Rule><ID>r</ID><Status>Enabled</Status>" + rule + "</Rule>";
    return new LifecycleDecider(LifecycleReader.read(document(whole)), TEN_SECONDS);
  }

  private static ObjectKey key(String text) {
    return ObjectKey.of(text).orElseThrow();
  }

  private static ObjectVersion version(long modifiedMillis, long sizeBytes, String tag) {
    return new ObjectVersion(
        new Uid(1, 1),
        ObjectVersion.Kind.OBJECT,
        false,
        "acme",
        modifiedMillis,
        sizeBytes,
        new EntityTag("d41d8cd98f00b204e9800998ecf8427e", 0),
        null,
        List.of(),
        tag.equals("-") ? List.of() : List.of(new ObjectVersion.Pair("t", tag)),
        Acl.NONE,
        null,
        false,
        new ObjectContent.Inline(new byte[0]),
        null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <Prefix>a/</Prefix>                                                 | a/x | 5 | -  | 19999 | false
          <Prefix>a/</Prefix>                                                 | a/x | 5 | -  | 20000 | true
          <Prefix>a/</Prefix>                                                 | b/x | 5 | -  | 20000 | false
          <Prefix/>                                                           | b/x | 5 | -  | 20000 | true
          <Filter/>                                                           | b/x | 5 | -  | 20000 | true
          <Filter><Prefix>a/</Prefix></Filter>                                | b/x | 5 | -  | 20000 | false
          <Filter><Tag><Key>t</Key><Value>1</Value></Tag></Filter>            | b/x | 5 | 1  | 20000 | true
          <Filter><Tag><Key>t</Key><Value>1</Value></Tag></Filter>            | b/x | 5 | 2  | 20000 | false
          <Filter><Tag><Key>t</Key><Value>1</Value></Tag></Filter>            | b/x | 5 | -  | 20000 | false
          <Filter><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></Filter>   | b/x | 5 | -  | 20000 | false
          <Filter><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></Filter>   | b/x | 6 | -  | 20000 | true
          <Filter><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter>         | b/x | 5 | -  | 20000 | false
          <Filter><And><Prefix>b</Prefix><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter> | b/x | 5 | - | 20000 | true
          <Filter><Prefix>a</Prefix><And><Prefix>b</Prefix></And></Filter>    | b/x | 5 | -  | 20000 | false
          """)
  void theCurrentVersionGoesAfterItsDays(
      String filter, String key, long sizeBytes, String tag, long nowMillis, boolean goes)
      throws Refusal {
    LifecycleDecider decider = decider(filter + "<Expiration><Days>1</Days></Expiration>");
    assertThat(decider.expires(key(key), version(10_000, sizeBytes, tag), nowMillis))
        .isEqualTo(goes);
  }

  @Test
  void aDateLetsGoWhatWasStoredBeforeAndAfterIt() throws Refusal {
    LifecycleDecider decider =
        decider("<Prefix/><Expiration><Date>2026-01-02T00:00:00Z</Date></Expiration>");
    long date = Instant.parse("2026-01-02T00:00:00Z").toEpochMilli();
    assertThat(decider.expires(key("a"), version(1, 1, "-"), date - 1)).isFalse();
    assertThat(decider.expires(key("a"), version(1, 1, "-"), date)).isTrue();
    assertThat(decider.expires(key("a"), version(date + 5, 1, "-"), date + 5)).isTrue();
  }

  @Test
  void aDayOfTheCalendarEndsAtMidnight() {
    long stored = Instant.parse("2026-03-01T15:00:00Z").toEpochMilli();
    assertThat(Instant.ofEpochMilli(LifecycleDay.CALENDAR.after(stored, 1)))
        .isEqualTo("2026-03-03T00:00:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 19999, 0, false",
    "0, 20000, 0, true",
    "2, 20000, 0, false",
    "2, 20000, 1, false",
    "2, 20000, 2, true",
  })
  void aVersionGoesSomeDaysAfterItWasReplaced(int stay, long nowMillis, int newer, boolean goes)
      throws Refusal {
    String kept =
        stay == 0 ? "" : "<NewerNoncurrentVersions>" + stay + "</NewerNoncurrentVersions>";
    LifecycleDecider decider =
        decider(
            "<Prefix/><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                + kept
                + "</NoncurrentVersionExpiration>");
    ObjectVersion version = version(0, 1, "-");
    assertThat(decider.expiresNoncurrent(key("a"), version, 10_000, newer, nowMillis))
        .isEqualTo(goes);
    assertThat(decider.expires(key("a"), version, nowMillis)).isFalse();
  }

  @Test
  void aMarkerThatHidesNothingGoesAtOnceOrAfterItsDays() throws Refusal {
    ObjectVersion marker = ObjectVersion.marker(new Uid(1, 1), false, "acme", 10_000);
    LifecycleDecider atOnce =
        decider(
            "<Prefix>a</Prefix><Expiration>"
                + "<ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>");
    assertThat(atOnce.expiresMarker(key("a"), marker, 10_000)).isTrue();
    assertThat(atOnce.expiresMarker(key("b"), marker, 10_000)).isFalse();
    LifecycleDecider later = decider("<Prefix/><Expiration><Days>1</Days></Expiration>");
    assertThat(later.expiresMarker(key("a"), marker, 19_999)).isFalse();
    assertThat(later.expiresMarker(key("a"), marker, 20_000)).isTrue();
    LifecycleDecider sized =
        decider(
            "<Filter><ObjectSizeLessThan>9</ObjectSizeLessThan></Filter>"
                + "<Expiration><Days>1</Days></Expiration>");
    assertThat(sized.expiresMarker(key("a"), marker, 20_000)).isFalse();
  }

  @Test
  void anUploadIsAbortedAndARuleThatIsOffDoesNothing() throws Refusal {
    var upload =
        new MultipartUpload(
            new Uid(1, 1), "a", 0, null, List.of(), List.of(), Acl.NONE, null, false, null);
    String rule =
        "<Prefix>a</Prefix><AbortIncompleteMultipartUpload>"
            + "<DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload>";
    assertThat(decider(rule).aborts(key("a"), upload, 19_999)).isFalse();
    assertThat(decider(rule).aborts(key("a"), upload, 20_000)).isTrue();
    assertThat(decider(rule).aborts(key("b"), upload, 20_000)).isFalse();
    String off = "<Rule><ID>r</ID><Status>Disabled</Status>" + rule + "</Rule>";
    assertThat(
            new LifecycleDecider(LifecycleReader.read(document(off)), TEN_SECONDS)
                .aborts(key("a"), upload, 20_000))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <Status>enabled</Status><Prefix/><Expiration><Days>1</Days></Expiration>              | MalformedXML
          <Status>Enabled</Status><Expiration><Days>1</Days></Expiration>                       | MalformedXML
          <Status>Enabled</Status><Prefix/>                                                     | MalformedXML
          <Status>Enabled</Status><Prefix/><Expiration/>                                        | MalformedXML
          <Status>Enabled</Status><Prefix/><Expiration><Days>0</Days></Expiration>              | InvalidArgument
          <Status>Enabled</Status><Prefix/><Expiration><Days>x</Days></Expiration>              | MalformedXML
          <Status>Enabled</Status><Prefix/><Expiration><Date>2026-01-01T01:00:00Z</Date></Expiration> | InvalidArgument
          <Status>Enabled</Status><Prefix/><Expiration><Date>20260101</Date></Expiration>       | MalformedXML
          <Status>Enabled</Status><Prefix/><Expiration><Days>1</Days><Date>2026-01-01T00:00:00Z</Date></Expiration> | MalformedXML
          <Status>Enabled</Status><Prefix/><Transition><Days>1</Days></Transition>              | InvalidRequest
          <Status>Enabled</Status><Prefix/><Other/><Expiration><Days>1</Days></Expiration>      | MalformedXML
          <Status>Enabled</Status><Filter><ObjectSizeGreaterThan>9223372036854775808</ObjectSizeGreaterThan></Filter><Expiration><Days>1</Days></Expiration> | MalformedXML
          <Status>Enabled</Status><Filter><ObjectSizeLessThan>18446744073709551615</ObjectSizeLessThan></Filter><Expiration><Days>1</Days></Expiration> | MalformedXML
          <Status>Enabled</Status><Filter><ObjectSizeGreaterThan>-1</ObjectSizeGreaterThan></Filter><Expiration><Days>1</Days></Expiration> | InvalidArgument
          <Status>Enabled</Status><Filter><And><Prefix/><And><Prefix>a</Prefix></And></And></Filter><Expiration><Days>1</Days></Expiration> | MalformedXML
          <Status>Enabled</Status><Filter><Tag><Key>a</Key></Tag></Filter><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration> | InvalidRequest
          """)
  void whatWouldNotBeDoneIsRefused(String members, String code) {
    assertThatThrownBy(() -> LifecycleReader.read(document("<Rule>" + members + "</Rule>")))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.fault().getClass().getSimpleName()).isEqualTo(code));
  }

  @Test
  void aRuleWithoutAnIdGetsOneAndNoTwoHaveTheSame() throws Refusal {
    String rule = "<Status>Enabled</Status><Prefix/><Expiration><Days>1</Days></Expiration>";
    byte[] named =
        LifecycleReader.checked(
            document("<Rule>" + rule + "</Rule><Rule><ID>x</ID>" + rule + "</Rule>"));
    assertThat(LifecycleReader.read(named))
        .extracting(LifecycleRule::id)
        .containsExactly("rule-1", "x");
    String twice = "<Rule><ID>x</ID>" + rule + "</Rule>";
    assertThatThrownBy(() -> LifecycleReader.read(document(twice + twice)))
        .isInstanceOf(Refusal.class);
  }
}
