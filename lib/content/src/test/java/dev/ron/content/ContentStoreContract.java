package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every content store does. Implementations are tested by a subclass that makes one. */
public abstract class ContentStoreContract {
  /** The least that a store under test must take. */
  public static final int OBJECT_BYTES_MAX = 4 << 20;

  /** The store under test; takes objects of up to {@link #OBJECT_BYTES_MAX}. */
  public abstract ContentStore store();

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 1024, 4096, 8191, 8192, 8193, 65535, 65536, 65537, 131072, 200_000, 4 << 20})
  void anObjectComesBackAsItWasPut(int length) throws Exception {
    byte[] object = bytes(1, length);
    assertThat(store().put(stream(object)))
        .isEqualTo(new PutResult.Stored(address(object), length, true));
    assertThat(readAll(store(), address(object))).isEqualTo(object);
    assertThat(store().stat(address(object))).contains(new ContentStat(address(object), length));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4096, 200_000})
  void anObjectThatIsThereIsNotStoredAgain(int length) throws Exception {
    byte[] object = bytes(2, length);
    assertThat(store().put(address(object), stream(object)).orThrow().fresh()).isTrue();
    Space before = store().space();
    assertThat(store().put(address(object), stream(object)).orThrow().fresh()).isFalse();
    assertThat(store().put(stream(object)).orThrow().fresh()).isFalse();
    assertThat(store().space().objects()).isEqualTo(before.objects());
    assertThat(store().space().objectBytes()).isEqualTo(before.objectBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 200_000})
  void bytesOfAnotherAddressAreRefusedAndLeaveNothing(int length) throws Exception {
    byte[] object = bytes(3, length);
    Address other = address(bytes(4, length));
    var mismatch = new PutResult.Refused(new ContentFault.Mismatch(other, address(object)));
    assertThat(store().put(other, stream(object))).isEqualTo(mismatch);
    assertThat(store().contains(other)).isFalse();
    assertThat(store().contains(address(object))).isFalse();

    store().put(stream(bytes(4, length))).orThrow();
    assertThat(store().put(other, stream(object))).as("also when it is there").isEqualTo(mismatch);
    assertThat(readAll(store(), other)).isEqualTo(bytes(4, length));
  }

  @ParameterizedTest
  @CsvSource({
    // length, offset, asked, got
    "10,      0,      10,     10",
    "10,      3,      4,      4",
    "10,      3,      99,     7",
    "10,      10,     5,      0",
    "10,      5,      0,      0",
    "0,       0,      1,      0",
    "200000,  65535,  2,      2",
    "200000,  65536,  65536,  65536",
    "200000,  131071, 99999,  68929",
    "200000,  199999, 9,      1",
    "200000,  1,      199998, 199998",
  })
  void aRangeIsReadAndCutOffAtTheEnd(int length, int offset, int asked, int got) throws Exception {
    byte[] object = bytes(5, length);
    store().put(stream(object)).orThrow();
    ContentReader reader = store().open(address(object), offset, asked).orThrow();
    assertThat(reader.remaining()).isEqualTo(got);
    assertThat(reader.offset()).isEqualTo(offset);
    assertThat(readAll(reader)).isEqualTo(Arrays.copyOfRange(object, offset, offset + got));
  }

  @Test
  void aRangeBeyondTheEndIsAFault() throws Exception {
    byte[] object = bytes(6, 10);
    store().put(stream(object)).orThrow();
    assertThat(store().open(address(object), 11, 1))
        .isEqualTo(new OpenResult.Refused(new ContentFault.OutOfRange(address(object), 11, 10)));
  }

  @Test
  void whatWasNeverPutIsNotFound() throws Exception {
    Address address = address(bytes(7, 7));
    var notFound = new ContentFault.NotFound(address);
    assertThat(store().open(address)).isEqualTo(new OpenResult.Refused(notFound));
    assertThat(store().stat(address)).isEmpty();
    assertThat(store().contains(address)).isFalse();
    assertThat(store().pin(address)).isFalse();
    assertThat(store().delete(address)).isEqualTo(new DeleteResult.Refused(notFound));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 8192, 65536, 300_000})
  void aStreamThatFailsLeavesNothing(int after) throws Exception {
    byte[] sent = bytes(8, after);
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(sent),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the client left");
              }

              @Override
              public int read(byte[] into, int at, int length) throws IOException {
                return read();
              }
            });
    assertThatThrownBy(() -> store().put(broken))
        .isInstanceOf(IOException.class)
        .hasMessage("the client left");
    assertThat(store().contains(address(sent))).isFalse();
    assertThat(store().put(stream(sent)).orThrow().fresh()).as("and blocks nothing").isTrue();
    assertThat(readAll(store(), address(sent))).isEqualTo(sent);
  }

  @Test
  void anObjectOverTheLimitIsRefused() throws Exception {
    byte[] object = bytes(9, OBJECT_BYTES_MAX + 1);
    assertThat(store().put(stream(object)))
        .isEqualTo(new PutResult.Refused(new ContentFault.TooLarge(OBJECT_BYTES_MAX)));
    assertThat(store().contains(address(object))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 70_000})
  void anObjectIsPutAnewWhetherOrNotItIsThere(int length) throws Exception {
    byte[] object = bytes(12, length);
    for (int i = 0; i < 3; i++) {
      assertThat(store().putAnew(address(object), stream(object)).orThrow().address())
          .isEqualTo(address(object));
      assertThat(readAll(store(), address(object))).isEqualTo(object);
    }
    assertThat(store().space().objects()).isEqualTo(1);
    assertThat(store().space().objectBytes()).isEqualTo(length);
    assertThat(store().putAnew(address(object), stream(bytes(13, 9))))
        .isInstanceOf(PutResult.Refused.class);
    store().delete(address(object)).orThrow();
    assertThat(store().contains(address(object))).isFalse();
  }

  @Test
  void aDeletedObjectIsGoneAndCanBePutAgain() throws Exception {
    byte[] object = bytes(10, 5000);
    store().put(stream(object)).orThrow();
    store().delete(address(object)).orThrow();
    assertThat(store().contains(address(object))).isFalse();
    assertThat(store().list(null, 99)).isEmpty();
    assertThat(store().space().objects()).isZero();
    assertThat(store().delete(address(object)))
        .isEqualTo(new DeleteResult.Refused(new ContentFault.NotFound(address(object))));
    assertThat(store().put(stream(object)).orThrow().fresh()).isTrue();
    assertThat(readAll(store(), address(object))).isEqualTo(object);
  }

  @Test
  void aReaderReadsOnWhenItsObjectIsDeleted() throws Exception {
    byte[] object = bytes(11, 300_000);
    store().put(stream(object)).orThrow();
    ContentReader reader = store().open(address(object)).orThrow();
    store().delete(address(object)).orThrow();
    assertThat(readAll(reader)).isEqualTo(object);
  }

  @Test
  void aPinnedObjectIsNotDeleted() throws Exception {
    Address address = store().put(stream(bytes(12, 12))).orThrow().address();
    var pinned = new DeleteResult.Refused(new ContentFault.Pinned(address));
    assertThat(store().pin(address)).isTrue();
    assertThat(store().pin(address)).isTrue();
    assertThat(store().delete(address)).isEqualTo(pinned);
    store().unpin(address);
    assertThat(store().delete(address)).as("one pin is left").isEqualTo(pinned);
    store().unpin(address);
    store().delete(address).orThrow();
  }

  @Test
  void objectsAreListedInTheOrderOfTheirAddresses() throws Exception {
    var expected = new ArrayList<ContentStat>();
    for (int i = 0; i < 300; i++) {
      PutResult.Stored stored = store().put(stream(bytes(i, 20 + i))).orThrow();
      expected.add(new ContentStat(stored.address(), stored.sizeBytes()));
    }
    expected.sort((a, b) -> a.address().toString().compareTo(b.address().toString()));
    var found = new ArrayList<ContentStat>();
    Address after = null;
    for (List<ContentStat> page = store().list(null, 7); !page.isEmpty(); ) {
      found.addAll(page);
      after = page.getLast().address();
      page = store().list(after, 7);
    }
    assertThat(found).isEqualTo(expected);
    assertThat(store().list(after, 7)).isEmpty();
  }

  @Test
  void spaceCountsWhatIsStored() throws Exception {
    store().put(stream(bytes(13, 1000))).orThrow();
    store().put(stream(bytes(14, 70_000))).orThrow();
    Space space = store().space();
    assertThat(space.objects()).isEqualTo(2);
    assertThat(space.objectBytes()).isEqualTo(71_000);
    assertThat(space.usedBytes()).isGreaterThanOrEqualTo(71_000);
    assertThat(space.freeBytes()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 100_000})
  void ofManyWhoPutTheSameObjectExactlyOneIsFirst(int length) throws Exception {
    byte[] object = bytes(15, length);
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Boolean> put = () -> store().put(stream(object)).orThrow().fresh();
      long firsts = 0;
      for (var answer : pool.invokeAll(java.util.Collections.nCopies(32, put))) {
        firsts += answer.get() ? 1 : 0;
      }
      assertThat(firsts).isEqualTo(1);
    }
    assertThat(store().space().objects()).isEqualTo(1);
    assertThat(readAll(store(), address(object))).isEqualTo(object);
  }
}
