package dev.ron.content;

import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The contract in memory, and the bounds. */
final class AmnesiaStoreTest extends ContentStoreContract {
  private final AmnesiaStore store = new AmnesiaStore(64 << 20, 1000, OBJECT_BYTES_MAX);

  @Override
  public ContentStore store() {
    return store;
  }

  @Test
  void bytesAreBounded() throws Exception {
    var small = new AmnesiaStore(1000, 10, 1000);
    small.put(stream(bytes(1, 600))).orThrow();
    assertThat(small.put(stream(bytes(2, 401))))
        .isInstanceOfSatisfying(
            PutResult.Refused.class,
            refused -> assertThat(refused.fault()).isInstanceOf(ContentFault.Full.class));
    small.put(stream(bytes(3, 400))).orThrow();
    assertThat(small.space()).isEqualTo(new Space(2, 1000, 1000, 0));
    small.delete(Objects.address(bytes(1, 600))).orThrow();
    assertThat(small.space()).isEqualTo(new Space(1, 400, 400, 600));
  }

  @Test
  void objectsAreBounded() throws Exception {
    var small = new AmnesiaStore(1000, 2, 1000);
    small.put(stream(bytes(1, 1))).orThrow();
    small.put(stream(bytes(2, 2))).orThrow();
    assertThat(small.put(stream(bytes(3, 3))))
        .isInstanceOfSatisfying(
            PutResult.Refused.class,
            refused -> assertThat(refused.fault()).isInstanceOf(ContentFault.Full.class));
  }
}
