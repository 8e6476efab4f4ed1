package dev.ron.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.metric.Meter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final UsageKey SENT = new UsageKey("acme", "mailbox.messages_sent");

  private static void send(UsageRig rig, long units) {
    rig.usage.meter("mailbox").account("acme").add(Meter.Unit.MESSAGES_SENT, units);
  }

  @Test
  void aDrainLosesNothing() throws Exception {
    var rig = new UsageRig(1).start();
    send(rig, 5);
    rig.tree.drain();
    assertThat(rig.recovered()).containsEntry(SENT, 5L);
  }

  @Test
  void anHourIsSealedAndAnIdleOneIsNot() throws Exception {
    var rig = new UsageRig(2).start();
    send(rig, 5);
    rig.tree.advance(Duration.ofMinutes(61));
    assertThat(rig.usage.files().seals()).containsExactly(1L);
    rig.tree.advance(Duration.ofHours(5));
    assertThat(rig.usage.files().seals()).containsExactly(1L);
    send(rig, 6);
    rig.tree.advance(Duration.ofHours(1));
    assertThat(rig.usage.files().seals()).containsExactly(1L, 2L);
    SealChain chain = rig.checked();
    assertThat(chain.findings()).isEmpty();
    assertThat(chain.seals()).isEqualTo(2);
  }

  @Test
  void anHourIsSealedThoughUseNeverPauses() throws Exception {
    var rig = new UsageRig(7).start();
    rig.sealEvery = Duration.ofSeconds(2);
    for (int i = 0; i < 100; i++) {
      send(rig, 1);
      rig.tree.advance(Duration.ofMillis(100));
    }
    assertThat(rig.usage.files().seals()).contains(1L, 2L, 3L);
    rig.tree.advance(Duration.ofSeconds(10));
    assertThat(rig.checked().findings()).isEmpty();
    assertThat(rig.recovered()).containsEntry(SENT, 100L);
  }

  @Test
  void aJournalThatWasLostStopsTheStartAndOverwritesNothing() throws Exception {
    var rig = new UsageRig(6).start();
    send(rig, 5);
    rig.tree.advance(Duration.ofMinutes(61));
    rig.tree.drain();
    UsageSpan span = rig.usage.files().span(1);
    Path journal = Usage.folder(UsageRig.DATA).resolve("journal");
    for (Path each : rig.disk.list(journal)) {
      rig.disk.delete(each);
    }
    assertThatThrownBy(rig::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the usage journal ends before span 1");
    assertThat(rig.usage.files().span(1)).isEqualTo(span);
  }

  @Test
  void sealsWaitForTheStorageAndKeepTheirSpans() throws Exception {
    var rig = new UsageRig(3).start();
    rig.storeDown = true;
    rig.sealEvery = Duration.ofMinutes(1);
    for (int i = 0; i < 3; i++) {
      send(rig, 1);
      rig.tree.advance(Duration.ofMinutes(1));
    }
    assertThat(rig.usage.files().seals()).isEmpty();
    assertThat(rig.usage.files().spans()).hasSizeGreaterThanOrEqualTo(2);
    rig.crash();
    rig.storeDown = false;
    rig.tree.advance(Duration.ofSeconds(10));
    assertThat(rig.usage.files().seals()).isEqualTo(rig.usage.files().spans());
    assertThat(rig.checked().findings()).isEmpty();
  }

  @Test
  void aFullDiskDelaysCountsAndLosesNone() throws Exception {
    var rig = new UsageRig(4).start();
    send(rig, 1);
    rig.tree.advance(Duration.ofSeconds(2));
    rig.disk.capacity(0);
    send(rig, 2);
    rig.tree.advance(Duration.ofSeconds(5));
    rig.disk.capacity(Long.MAX_VALUE);
    rig.tree.advance(Duration.ofSeconds(5));
    rig.crash();
    assertThat(rig.recovered()).containsEntry(SENT, 3L);
  }

  @Test
  void aFullDiskDelaysTheFileOfASpan() throws Exception {
    var rig = new UsageRig(5).start();
    rig.sealEvery = Duration.ofSeconds(3);
    send(rig, 1);
    rig.tree.advance(Duration.ofSeconds(1));
    rig.disk.capacity(0);
    rig.tree.advance(Duration.ofSeconds(30));
    assertThat(rig.usage.files().spans()).isEmpty();
    rig.disk.capacity(Long.MAX_VALUE);
    rig.tree.advance(Duration.ofSeconds(10));
    assertThat(rig.usage.files().seals()).containsExactly(1L);
    assertThat(rig.recovered()).containsEntry(SENT, 1L);
  }

  @Test
  void aClockThatIsSetBackMakesNoSpanThatEndsBeforeItBegins() {
    var state = new UsageState();
    Instant noon = Instant.parse("2026-11-18T12:00:00Z");
    state.begin(noon).ifPresent(state::apply);
    state.apply(new UsageRecord.Counted(List.of(new UsageRecord.Delta(SENT, 1))));
    UsageRecord.Cut cut = state.cut(noon.minusSeconds(3600)).orElseThrow();
    assertThat(cut.from()).isEqualTo(noon);
    assertThat(cut.to()).isEqualTo(noon);
    assertThat(state.open(noon.minusSeconds(1)).to()).isEqualTo(noon);
  }

  @Test
  void aRecordIsReadAsItWasWritten() throws Exception {
    var counted =
        new UsageRecord.Counted(
            List.of(
                new UsageRecord.Delta(new UsageKey("quo\"te\nünï💡", "a.b"), Long.MAX_VALUE),
                new UsageRecord.Delta(SENT, 1)));
    var cut = new UsageRecord.Cut(7, Instant.parse("2026-11-18T12:00:00.5Z"), Instant.MAX);
    assertThat(UsageRecord.decoded(counted.encoded())).isEqualTo(counted);
    assertThat(UsageRecord.decoded(cut.encoded())).isEqualTo(cut);
  }

  @Test
  void bytesThatAreNoRecordAreRefused() {
    byte[] whole =
        new UsageRecord.Counted(List.of(new UsageRecord.Delta(SENT, 1))).encoded().array();
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
      assertThatThrownBy(() -> UsageRecord.decoded(part)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> UsageRecord.decoded(ByteBuffer.wrap(new byte[] {9})))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> UsageRecord.decoded(ByteBuffer.wrap(new byte[] {1, 127, 0, 0, 0})))
        .isInstanceOf(IOException.class);
  }

  @Test
  void theOldestSpansAreLetGoOfAndTheirSealsStay() throws Exception {
    var rig = new UsageRig(6).start();
    rig.sealEvery = Duration.ZERO;
    int spans = UsageFolder.SPANS_KEPT + 5;
    for (int i = 0; i < spans; i++) {
      send(rig, 1);
      rig.tree.advance(Duration.ofSeconds(2));
    }
    assertThat(rig.usage.files().seals()).hasSize(spans);
    assertThat(rig.usage.files().spans()).hasSize(UsageFolder.SPANS_KEPT);
    assertThat(rig.checked().findings()).isEmpty();
  }
}
