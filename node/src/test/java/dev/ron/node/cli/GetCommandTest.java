package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

final class GetCommandTest {
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
  private final OutputStream text = new GetCommand.TextOnly(terminal);

  @Test
  void aTerminalGetsATextWhole() throws IOException {
    byte[] words = "a few words, ü\n".repeat(400).getBytes(UTF_8);
    text.write(words);
    assertThat(terminal.toByteArray()).isEqualTo(words);
  }

  /** What follows the beginning is not looked at: the person has seen what it is. */
  @Test
  void aTerminalGetsNoOtherBytesAndThePersonIsToldWhatToDo() {
    byte[] picture = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0};
    assertThatThrownBy(() -> text.write(picture))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--out FILE")
        .hasMessageContaining("--out -");
    assertThat(terminal.size()).isZero();
  }
}
