package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.metric.Meter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Files of usage that are not what was written: each is found, named, not counted, mended. */
class UsageDamageTest {
  private static final Path SPANS = Usage.folder(UsageRig.DATA).resolve("spans");
  private static final UsageKey SENT = new UsageKey("acme", "mailbox.messages_sent");

  private static Path span(long number) {
    return SPANS.resolve("%012d.span".formatted(number));
  }

  private static Path seal(long number) {
    return SPANS.resolve("%012d.seal".formatted(number));
  }

  /** Spans of 1, 2, 4, ... units, one each minute. */
  private static UsageRig spans(UsageRig rig, int count) throws Exception {
    rig.sealEvery = Duration.ofMinutes(1);
    rig.start();
    for (int i = 0; i < count; i++) {
      use(rig, 1L << i);
    }
    return rig;
  }

  private static void use(UsageRig rig, long units) throws Exception {
    rig.usage.meter("mailbox").account("acme").add(Meter.Unit.MESSAGES_SENT, units);
    rig.tree.advance(Duration.ofSeconds(61));
  }

  private static void damage(UsageRig rig, Path file, UnaryOperator<String> how) throws Exception {
    byte[] wrong;
    try (DiskFile in = rig.disk.openReadOnly(file)) {
      var bytes = ByteBuffer.allocate((int) in.size());
      in.read(bytes, 0);
      String text = new String(bytes.array(), UTF_8);
      wrong = how.apply(text).getBytes(UTF_8);
      assertThat(wrong).isNotEqualTo(bytes.array());
    }
    try (DiskFile out = rig.disk.open(file)) {
      out.truncate(0);
      out.write(ByteBuffer.wrap(wrong), 0);
      out.flush();
    }
  }

  private static UsageReport report(UsageRig rig) throws Exception {
    UsageFolder files = rig.usage.files();
    Instant now = rig.time.wall();
    var open = new UsageSpan(files.newest() + 1, now, now, new TreeMap<>());
    return UsageReport.of(open, files, Instant.MIN);
  }

  private static long sent(UsageReport report) {
    return report.units().get(SENT).longValueExact();
  }

  private static String more(String text) {
    return text.replaceFirst("\"units\":\"", "\"units\":\"9");
  }

  @Test
  void aSpanThatIsNotWhatWasSealedIsNotCountedAndItsSumsAreNamed() throws Exception {
    for (UnaryOperator<String> how :
        List.<UnaryOperator<String>>of(
            UsageDamageTest::more, _ -> "", text -> text.substring(0, 40), text -> "x" + text)) {
      UsageRig rig = spans(new UsageRig(1), 3);
      assertThat(sent(report(rig))).isEqualTo(7);
      damage(rig, span(2), how);
      UsageReport report = report(rig);
      assertThat(sent(report)).isEqualTo(5);
      assertThat(report.damage())
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.span()).isEqualTo(2);
                assertThat(found.file()).isEqualTo("000000000002.span");
                assertThat(found.lost()).containsEntry("mailbox.messages_sent", "2");
              });
      assertThat(rig.usage.note().orElseThrow()).contains("000000000002.span");
    }
  }

  /** As an older build wrote it, without a check: only the seal tells. */
  @Test
  void aSpanWithoutACheckIsComparedWithItsSeal() throws Exception {
    UsageRig rig = spans(new UsageRig(2), 2);
    UnaryOperator<String> unchecked = text -> text.replaceFirst("\"check\":\"[0-9a-f]+\",", "");
    damage(rig, span(1), unchecked);
    assertThat(report(rig).damage()).isEmpty();
    assertThat(sent(report(rig))).isEqualTo(3);
    damage(rig, span(1), UsageDamageTest::more);
    assertThat(report(rig).damage()).singleElement().asString().contains("not what was sealed");
  }

  @Test
  void aDamagedSpanIsMendedFromTheStorage() throws Exception {
    UsageRig rig = spans(new UsageRig(3), 3);
    damage(rig, span(2), UsageDamageTest::more);
    rig.tree.advance(Duration.ofMinutes(1));
    assertThat(report(rig).damage()).isEmpty();
    assertThat(sent(report(rig))).isEqualTo(7);
    assertThat(rig.usage.note()).isEmpty();
  }

  @Test
  void aDamagedSealIsMadeAgainWithTheSameAddress() throws Exception {
    UsageRig rig = spans(new UsageRig(4), 3);
    byte[] right = rig.usage.files().seal(2);
    damage(rig, seal(2), text -> text.substring(10));
    assertThat(report(rig).damage()).singleElement().asString().contains("000000000002.seal");
    rig.tree.advance(Duration.ofMinutes(1));
    assertThat(rig.usage.files().seal(2)).isEqualTo(right);
    assertThat(rig.checked().findings()).isEmpty();
  }

  /** The seal before is what the next one is chained to. */
  @Test
  void noSealIsChainedToADamagedOne() throws Exception {
    UsageRig rig = spans(new UsageRig(5), 2);
    damage(rig, seal(2), text -> text.replace("acme", "evil").replaceFirst("[0-9]", "7"));
    use(rig, 4);
    assertThat(rig.usage.files().seals()).containsExactly(1L, 2L, 3L);
    assertThat(rig.checked().findings()).isEmpty();
  }

  @Test
  void sealingThatCannotGoOnIsInReadyz() throws Exception {
    UsageRig rig = spans(new UsageRig(6), 2);
    rig.storeDown = true;
    damage(rig, seal(2), text -> text.substring(10));
    damage(rig, span(2), text -> text.substring(10));
    use(rig, 4);
    assertThat(rig.scope.readiness().missing().get("usage-seals"))
        .contains("span 3 cannot be sealed", "000000000002.seal");
    assertThat(rig.usage.files().seals()).containsExactly(1L, 2L);
  }

  /** What was never sealed is gone: the chain says so and goes on. */
  @Test
  void aSpanThatWasNotSealedYetIsSealedAsLostAndHoldsUpNone() throws Exception {
    UsageRig rig = new UsageRig(7);
    rig.storeDown = true;
    spans(rig, 4);
    damage(rig, span(2), UsageDamageTest::more);
    rig.disk.delete(span(3));
    rig.storeDown = false;
    rig.tree.advance(Duration.ofMinutes(1));
    assertThat(rig.usage.files().seals()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(rig.scope.readiness().missing()).isEmpty();
    assertThat(rig.checked().findings())
        .containsExactly(
            "seal 2: what was used in its span is lost: its check does not fit",
            "seal 3: what was used in its span is lost: it is gone");
    UsageReport report = report(rig);
    assertThat(sent(report)).isEqualTo(1 + 8);
    assertThat(report.damage()).hasSize(2);
    assertThat(rig.disk.exists(SPANS.resolve("000000000002.span.damaged"))).isTrue();
  }

  @Test
  void theNewestSpanWaitsForTheNextBeforeItIsGivenUp() throws Exception {
    UsageRig rig = new UsageRig(8);
    rig.storeDown = true;
    spans(rig, 1);
    damage(rig, span(1), UsageDamageTest::more);
    rig.storeDown = false;
    rig.tree.advance(Duration.ofMinutes(1));
    assertThat(rig.usage.files().seals()).isEmpty();
    assertThat(rig.usage.note().orElseThrow()).contains("000000000001.span");
    use(rig, 2);
    assertThat(rig.usage.files().seals()).containsExactly(1L, 2L);
    assertThat(rig.checked().findings()).hasSize(1);
  }

  /** A snapshot has none of the counts of the span before it. */
  @Test
  void aFileThatIsGoneIsNotWrittenAgainEmpty() throws Exception {
    UsageRig rig = new UsageRig(9);
    rig.storeDown = true;
    spans(rig, 2);
    rig.tree.drain();
    rig.disk.delete(span(2));
    rig.start();
    rig.tree.advance(Duration.ofSeconds(5));
    assertThat(rig.disk.exists(span(2))).isFalse();
    assertThatThrownBy(() -> rig.usage.files().span(2)).hasMessageContaining("gone");
  }

  @Test
  void aStorageThatIsDownIsANoteAndNotAnOutage() throws Exception {
    UsageRig rig = new UsageRig(10);
    rig.storeDown = true;
    spans(rig, 2);
    assertThat(rig.scope.readiness().missing()).isEmpty();
    assertThat(rig.usage.note().orElseThrow()).contains("2 spans wait for the storage");
    assertThat(rig.scope.metrics().text()).contains("usage_seals_late 2.0\n");
    rig.storeDown = false;
    rig.tree.advance(Duration.ofMinutes(1));
    assertThat(rig.scope.metrics().text()).contains("usage_seals_late 0.0\n");
  }

  @Test
  void everyFlippedBitOfASpanIsFound() throws Exception {
    UsageRig rig = spans(new UsageRig(11), 1);
    byte[] whole = SpanFile.write(rig.usage.files().span(1));
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] wrong = whole.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> SpanFile.read(1, wrong)).isInstanceOf(DamagedFileException.class);
    }
  }
}
