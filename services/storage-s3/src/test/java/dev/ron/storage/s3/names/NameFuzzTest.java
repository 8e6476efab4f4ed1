package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Whatever bytes a command of the log has, it is read as what it writes again, or refused. */
class NameFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void nameCommand(byte[] bytes) {
    NameCommand command;
    try {
      command = NameCommandCodec.command(bytes);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      return;
    }
    byte[] again = NameCommandCodec.bytes(command);
    assertThat(NameCommandCodec.bytes(NameCommandCodec.command(again))).isEqualTo(again);
  }
}
