package dev.ron.content.store;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.content.ContentReader;
import dev.ron.content.FileRegion;
import dev.ron.content.OpenRegion;
import dev.ron.content.RunningStore;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.disk.RealDisk;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When bytes are hashed on their way out, and when they may leave by file region. */
final class VerifyModeTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    // verify, object, offset, length, region after one read of that range
    "ONCE,     5000,   0,      5000,   true",
    "ONCE,     300000, 0,      300000, true",
    "ONCE,     300000, 70000,  10,     true",
    "ALWAYS,   5000,   0,      5000,   false",
    "ALWAYS,   300000, 0,      300000, false",
  })
  void aRangeThatWasVerifiedMayLeaveByFileRegion(
      VerifyMode verify, int size, int offset, int length, boolean regionAfter) throws Exception {
    byte[] object = bytes(1, size);
    try (RunningStore running = open(verify)) {
      running.store().put(stream(object)).orThrow();
      try (ContentReader first = running.store().open(address(object), offset, length).orThrow()) {
        assertThat(first.region()).as("it was never verified").isEmpty();
        assertThat(first.transferTo(java.io.OutputStream.nullOutputStream())).isEmpty();
      }
      try (ContentReader again = running.store().open(address(object), offset, length).orThrow()) {
        assertThat(again.region().isPresent()).isEqualTo(regionAfter);
        if (regionAfter) {
          assertThat(read(again.region().orElseThrow()))
              .isEqualTo(Arrays.copyOfRange(object, offset, offset + length));
          assertThat(read(again.openRegion().orElseThrow()))
              .isEqualTo(Arrays.copyOfRange(object, offset, offset + length));
        } else {
          assertThat(again.openRegion()).isEmpty();
        }
      }
    }
  }

  @Test
  void verifyingOneGroupSaysNothingOfTheOthers() throws Exception {
    byte[] object = bytes(1, 300_000);
    try (RunningStore running = open(VerifyMode.ONCE)) {
      running.store().put(stream(object)).orThrow();
      readAll(running.store().open(address(object), 70_000, 10).orThrow());
      try (ContentReader wider = running.store().open(address(object), 60_000, 20_000).orThrow()) {
        assertThat(wider.region()).isEmpty();
        assertThat(readAll(wider)).isEqualTo(Arrays.copyOfRange(object, 60_000, 80_000));
      }
    }
  }

  @Test
  void onceTrustsUntilTheNextStartAndAlwaysNever() throws Exception {
    byte[] object = bytes(1, 5000);
    try (RunningStore running = open(VerifyMode.ONCE)) {
      running.store().put(stream(object)).orThrow();
      readAll(running.store(), address(object));
      damage();
      assertThat(readAll(running.store(), address(object)))
          .as("the price of once: damage since the first read goes out")
          .isNotEqualTo(object);
    }
    for (VerifyMode verify : VerifyMode.values()) {
      try (RunningStore running = open(verify);
          ContentReader reader = running.store().open(address(object)).orThrow()) {
        assertThat(reader.next()).isInstanceOf(ContentReader.Step.Bad.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "5000", "65536", "65537", "300000"})
  void aReaderHandsOutTheTreeOfItsObject(int size) throws Exception {
    byte[] object = bytes(1, size);
    try (RunningStore running = open(VerifyMode.ALWAYS)) {
      running.store().put(stream(object)).orThrow();
      try (ContentReader reader = running.store().open(address(object)).orThrow()) {
        assertThat(reader.outboard().orElseThrow().stored())
            .isEqualTo(new OutboardBuilder().update(object).build().stored());
        assertThat(reader.outboard().orElseThrow().root()).isEqualTo(address(object).hash());
      }
    }
  }

  private void damage() throws Exception {
    try (var files = Files.list(folder)) {
      Path segment =
          files.filter(path -> path.toString().endsWith(Segment.SUFFIX)).findFirst().orElseThrow();
      try (var file = new RandomAccessFile(segment.toFile(), "rw")) {
        file.seek(Segment.HEAD_BYTES + RecordHeader.BYTES + 77);
        int old = file.read();
        file.seek(Segment.HEAD_BYTES + RecordHeader.BYTES + 77);
        file.write(old ^ 1);
      }
    }
  }

  private RunningStore open(VerifyMode verify) throws Exception {
    return RunningStore.open(new RealDisk(), SegmentConfig.in(folder).withVerify(verify));
  }

  @Test
  void whoSendsFromAFileIsNotDisturbedByAReaderThatIsInterrupted() throws Exception {
    byte[] object = bytes(1, 5000);
    try (RunningStore running = open(VerifyMode.ONCE)) {
      running.store().put(stream(object)).orThrow();
      readAll(running.store(), address(object));
      try (ContentReader sender = running.store().open(address(object)).orThrow();
          ContentReader reader = running.store().open(address(object)).orThrow()) {
        OpenRegion sent = sender.openRegion().orElseThrow();
        Thread.currentThread().interrupt();
        assertThat(reader.next()).isInstanceOf(ContentReader.Step.Bad.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(read(sent)).isEqualTo(object);
      }
    }
  }

  private static byte[] read(OpenRegion region) throws Exception {
    var bytes = ByteBuffer.allocate((int) region.lengthBytes());
    while (bytes.hasRemaining()) {
      assertThat(region.file().read(bytes, region.position() + bytes.position())).isPositive();
    }
    return bytes.array();
  }

  private static byte[] read(FileRegion region) throws Exception {
    byte[] bytes = new byte[(int) region.lengthBytes()];
    try (var file = new RandomAccessFile(region.file().toFile(), "r")) {
      file.seek(region.position());
      file.readFully(bytes);
    }
    return bytes;
  }
}
