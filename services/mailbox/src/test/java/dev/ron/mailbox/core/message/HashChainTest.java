package dev.ron.mailbox.core.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HashChainTest {
  private static final Hash PAYLOAD = Blake3.hash(new byte[] {1});

  @Test
  void itIsTheHashOfTheDocumentedBytes() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    text(out, "ron.mailbox.v1");
    text(out, "orders");
    out.writeLong(1_700_000_000_123L);
    text(out, "schlüssel");
    out.write(PAYLOAD.bytes());
    out.writeInt(2);
    text(out, "a");
    text(out, "1");
    text(out, "b");
    text(out, "2");
    assertThat(
            HashChain.of(
                message("orders", 1_700_000_000_123L, "schlüssel", Map.of("b", "2", "a", "1"))))
        .isEqualTo(Blake3.hash(bytes.toByteArray()));
  }

  @Test
  void textsThatMoveBetweenFieldsAreSeen() {
    Set<Hash> hashes = new HashSet<>();
    hashes.add(HashChain.of(message("ab", 1, "c", Map.of())));
    hashes.add(HashChain.of(message("a", 1, "bc", Map.of())));
    hashes.add(HashChain.of(message("a", 1, "b", Map.of("c", ""))));
    hashes.add(HashChain.of(message("a", 1, "b", Map.of("", "c"))));
    hashes.add(HashChain.of(message("a", 2, "b", Map.of("", "c"))));
    assertThat(hashes).hasSize(5);
  }

  private static Message message(String topic, long ts, String key, Map<String, String> attrs) {
    return new Message(new Ulid(1, 1), topic, "g", ts, key, PAYLOAD, 1, attrs, "corr");
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeInt(text.getBytes(UTF_8).length);
    out.write(text.getBytes(UTF_8));
  }
}
