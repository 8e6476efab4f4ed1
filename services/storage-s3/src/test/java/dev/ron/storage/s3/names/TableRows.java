package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Rows in a sorted map.
 *
 * <p>Threading: owned by one thread.
 */
final class TableRows implements NameRows {
  private final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

  @Override
  public Optional<byte[]> row(byte[] key) {
    return Optional.ofNullable(rows.get(key));
  }

  @Override
  public void scan(byte[] from, byte[] to, Predicate<Row> each) {
    for (var row : rows.subMap(from, true, to, false).entrySet()) {
      if (!each.test(new Row(row.getKey(), row.getValue()))) {
        return;
      }
    }
  }

  void take(NameDecision.Change change) {
    byte[] value = change.value();
    if (value == null) {
      rows.remove(change.key());
    } else {
      rows.put(change.key(), value);
    }
  }

  /** The newest first, wherever they lie. */
  List<ObjectVersion> versions(long bucket, ObjectKey key) {
    var versions = new ArrayList<ObjectVersion>();
    row(RowKeys.object(bucket, key)).map(RowCodec::version).ifPresent(versions::add);
    scanAll(RowKeys.versions(bucket, key), row -> versions.add(RowCodec.version(row.value())));
    return versions;
  }

  /**
   * What is promised of objects: an object's own row is newer than all its others; without it the
   * newest is a marker; there is one null version at most, and a pointer to it if it is an older
   * one.
   */
  void checkPromises() {
    rows.forEach(
        (row, value) -> {
          switch (row[0]) {
            case RowKeys.OBJECT -> {
              assertThat(RowCodec.version(value).isMarker()).isFalse();
              check(RowKeys.millisOf(row), RowKeys.keyOfObject(row));
            }
            case RowKeys.VERSION -> check(RowKeys.millisOf(row), RowKeys.keyOfVersion(row));
            case RowKeys.NULL_VERSION -> {
              long sequence = new RowReader(value).eight();
              ObjectKey key = RowKeys.keyOfObject(row);
              byte[] there = RowKeys.version(RowKeys.millisOf(row), key, sequence);
              assertThat(row(there).map(RowCodec::version).filter(ObjectVersion::isNull))
                  .as("the null version of " + key)
                  .isPresent();
            }
            default -> {}
          }
        });
  }

  private void check(long bucket, ObjectKey key) {
    List<ObjectVersion> versions = versions(bucket, key);
    for (int i = 1; i < versions.size(); i++) {
      assertThat(versions.get(i).uid().sequence()).isLessThan(versions.get(i - 1).uid().sequence());
    }
    boolean shown = row(RowKeys.object(bucket, key)).isPresent();
    assertThat(shown).as("shown " + key).isEqualTo(!versions.getFirst().isMarker());
    List<ObjectVersion> nulls = versions.stream().filter(ObjectVersion::isNull).toList();
    assertThat(nulls).hasSizeLessThan(2);
    boolean olderNull = !nulls.isEmpty() && !(shown && versions.getFirst().isNull());
    assertThat(row(RowKeys.nullVersion(bucket, key)).isPresent()).isEqualTo(olderNull);
  }
}
