package dev.ron.mailbox.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Whatever bytes a snapshot of the shards has, it is read or refused, in bounded memory. */
class SnapshotFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void shardSnapshot(byte[] bytes) {
    try {
      ShardSnapshotCodec.read(
          new ByteArrayInputStream(bytes), _ -> true, captured -> assertThat(captured).isNotNull());
    } catch (IOException refused) {
      assertThat(bytes).isNotNull();
    }
  }
}
