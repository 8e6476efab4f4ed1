package dev.ron.mailbox.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import dev.ron.mailbox.api.Send;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.journal.FactReader;
import dev.ron.mailbox.journal.FactWriter;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Whatever bytes a client sends or a disk holds, they are a message or a refusal; corpus replay in
 * every build.
 */
final class MailboxFuzzTest {
  @FuzzTest(maxDuration = "30s")
  @SeedRow("M82")
  void anEnvelopeInJson(byte[] form) {
    refusedOrRead(() -> Send.FORM.read(form));
  }

  @FuzzTest(maxDuration = "30s")
  @SeedRow("M82")
  void anEnvelopeInProtobuf(byte[] frame) {
    refusedOrRead(() -> Send.FORM.read(ProtoFormReader.read(frame, ProtoSchema.SEND)));
    refusedOrRead(() -> ProtoFormReader.read(frame, ProtoSchema.SEND_BATCH));
    refusedOrRead(() -> ProtoFormReader.read(frame, ProtoSchema.SETTLE));
  }

  @FuzzTest(maxDuration = "30s")
  @SeedRow("M82")
  void aFactOfTheJournal(byte[] record) {
    try {
      Fact fact = FactReader.decode(ByteBuffer.wrap(record));
      if (fact.kept()) {
        assertThat(FactReader.decode(FactWriter.encode(fact)))
            .usingRecursiveComparison()
            .isEqualTo(fact);
      }
    } catch (IOException refused) {
      assertThat(refused).hasMessageMatching(".+");
    }
  }

  private interface Reading {
    Object read() throws Refusal;
  }

  private static void refusedOrRead(Reading reading) {
    try {
      assertThat(reading.read()).isNotNull();
    } catch (Refusal refused) {
      assertThat(refused.fault().status()).isIn(400, 413, 422);
    }
  }
}
