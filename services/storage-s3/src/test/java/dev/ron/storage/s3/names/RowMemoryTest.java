package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What is remembered of rows: never from before a change that a reader knows of. */
final class RowMemoryTest {
  private final RowMemory memory = new RowMemory();
  private final Counted rows = new Counted(new HashMap<>());

  /** Rows that count how often they are read. */
  private static final class Counted implements NameRows {
    private final Map<ByteBuffer, byte[]> rows;
    private int reads;
    private Runnable meanwhile = () -> {};

    private Counted(Map<ByteBuffer, byte[]> rows) {
      this.rows = rows;
    }

    @Override
    public Optional<byte[]> row(byte[] key) {
      reads++;
      Optional<byte[]> row = Optional.ofNullable(rows.get(ByteBuffer.wrap(key)));
      Runnable step = meanwhile;
      meanwhile = () -> {};
      step.run();
      return row;
    }

    @Override
    public void scan(byte[] from, byte[] to, Predicate<Row> each) {
      throw new AssertionError("rows are read one by one here");
    }
  }

  private static byte[] key(String text) {
    return text.getBytes(UTF_8);
  }

  private Optional<String> read(String key, boolean absent) {
    return memory.read(rows, key(key), absent, row -> new String(row, UTF_8));
  }

  private boolean isKept(String key) {
    try {
      memory.recall(key(key));
      return true;
    } catch (Names.NotInMemory _) {
      return false;
    }
  }

  private void write(String key, String value) {
    var changed = new BitSet();
    RowMemory.mark(changed, key(key));
    memory.change(changed, () -> rows.rows.put(ByteBuffer.wrap(key(key)), value.getBytes(UTF_8)));
  }

  @Test
  void aRowIsReadOnceUntilItChanges() {
    write("Bone", "1");
    assertThat(isKept("Bone")).isFalse();
    for (int i = 0; i < 3; i++) {
      assertThat(read("Bone", false)).contains("1");
    }
    assertThat(rows.reads).isEqualTo(1);
    assertThat(memory.<String>recall(key("Bone"))).contains("1");
    write("Bone", "2");
    assertThat(isKept("Bone")).isFalse();
    assertThat(read("Bone", false)).contains("2");
    memory.forget();
    assertThat(isKept("Bone")).isFalse();
  }

  @Test
  void whatIsNotThereIsRememberedOnlyWhereItMayBe() {
    assertThat(read("Sone", true)).isEmpty();
    assertThat(read("Sone", true)).isEmpty();
    assertThat(rows.reads).isEqualTo(1);
    write("Sone", "set");
    assertThat(read("Sone", true)).contains("set");
    read("Bmade-up", false);
    read("Bmade-up", false);
    assertThat(rows.reads).as("names that are made up take no room").isEqualTo(4);
  }

  @Test
  void aSlowReaderLeavesNothingOld() {
    write("Oslow", "old");
    rows.meanwhile = () -> write("Oslow", "new");
    assertThat(read("Oslow", false)).as("it began before the change").contains("old");
    assertThat(isKept("Oslow")).isFalse();
    assertThat(read("Oslow", false)).contains("new");
  }

  @Test
  void nothingIsKeptWhileARowChanges() {
    write("Obusy", "old");
    read("Obusy", false);
    var changed = new BitSet();
    RowMemory.mark(changed, key("Obusy"));
    memory.change(
        changed,
        () -> {
          assertThat(isKept("Obusy")).isFalse();
          assertThat(read("Obusy", false)).contains("old");
          rows.rows.put(ByteBuffer.wrap(key("Obusy")), key("new"));
          assertThat(read("Obusy", false)).as("read again in the change").contains("new");
        });
    assertThat(isKept("Obusy")).isFalse();
  }

  @Test
  void rowsOfOtherKindsAreNotMarked() {
    var changed = new BitSet();
    RowMemory.mark(changed, key("Uupload"));
    assertThat(changed.isEmpty()).isTrue();
  }

  /** Rows that are read together count while none of them has changed. */
  @Test
  void aMomentEndsWhenOneOfItsRowsChanges() {
    write("Bone", "1");
    write("Vone", "1");
    RowMemory.Moment moment = memory.new Moment(rows);
    moment.readKept(key("Bone"), false, row -> row);
    moment.row(key("Vone"));
    assertThat(moment.isWhole()).isTrue();
    write("Uother", "a row that is not watched");
    assertThat(moment.isWhole()).isTrue();
    write("Vone", "2");
    moment.row(key("Vone"));
    assertThat(moment.isWhole()).as("read before and after").isFalse();
  }

  @Test
  void noMomentIsInTheMiddleOfAChange() {
    var changed = new BitSet();
    RowMemory.mark(changed, key("Oone"));
    memory.change(
        changed,
        () -> {
          RowMemory.Moment moment = memory.new Moment(rows);
          moment.row(key("Oone"));
          assertThat(moment.isWhole()).isFalse();
        });
  }

  /** However much there is, it takes no more than its bound, and goes on to remember. */
  @Test
  void itIsBoundedByTheBytesOfTheRows() {
    String large = "x".repeat(60_000);
    for (int i = 0; i < 1000; i++) {
      write("S" + i, large);
      read("S" + i, true);
    }
    int kept = 0;
    for (int i = 0; i < 1000; i++) {
      kept += isKept("S" + i) ? 1 : 0;
    }
    assertThat(kept).isBetween(20, (4 << 20) / 60_000);
    write("Slarge", "x".repeat(270_000));
    read("Slarge", true);
    assertThat(isKept("Slarge")).as("larger than any row may be").isFalse();
    memory.forget();
    for (int i = 0; i < 10_000; i++) {
      write("O" + i, "small");
      read("O" + i, false);
    }
    assertThat(isKept("O9999")).isTrue();
  }

  /** It takes long to read, and each request of its bucket asks it. */
  @Test
  void theLongestSettingIsKept() {
    write("Srules", "x".repeat(256 << 10));
    read("Srules", true);
    assertThat(isKept("Srules")).isTrue();
  }

  @Test
  void aSmallObjectIsHashedOnceUntilItsRowChanges() {
    byte[] row = RowCodec.bytes(ObjectVersion.marker(new Uid(1, 2), true, "a", 3));
    write("Osmall", "");
    rows.rows.put(ByteBuffer.wrap(key("Osmall")), row);
    Address address = address("Osmall");
    assertThat(address).isEqualTo(new Address(Blake3.hash(new byte[0])));
    assertThat(address("Osmall")).isSameAs(address);
    memory.forget();
    assertThat(address("Osmall")).isEqualTo(address).isNotSameAs(address);
  }

  private Address address(String key) {
    ObjectVersion version = memory.read(rows, key(key), false, RowCodec::version).orElseThrow();
    return ((ObjectContent.Inline) version.content()).address();
  }

  /** What a writer has said to be there, each reader that comes after it finds. */
  @Test
  void readersNeverGoBackBehindWhatTheyKnow() throws Exception {
    var shared = new Counted(new ConcurrentHashMap<>());
    var told = new AtomicInteger();
    var end = new AtomicBoolean();
    shared.rows.put(ByteBuffer.wrap(key("Orow")), key("0"));
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Integer> reader =
          threads.submit(
              () -> {
                int count = 0;
                while (!end.get()) {
                  int before = told.get();
                  int seen =
                      memory
                          .read(
                              shared,
                              key("Orow"),
                              false,
                              row -> Integer.parseInt(new String(row, UTF_8)))
                          .orElseThrow();
                  assertThat(seen).isGreaterThanOrEqualTo(before);
                  count++;
                }
                return count;
              });
      var changed = new BitSet();
      RowMemory.mark(changed, key("Orow"));
      for (int i = 1; i <= 20_000; i++) {
        byte[] value = key(Integer.toString(i));
        memory.change(changed, () -> shared.rows.put(ByteBuffer.wrap(key("Orow")), value));
        told.set(i);
      }
      end.set(true);
      assertThat(reader.get()).isPositive();
    }
  }
}
