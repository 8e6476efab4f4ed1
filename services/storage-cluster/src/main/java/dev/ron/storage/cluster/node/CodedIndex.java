package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.core.Inventory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which coded objects this node knows, and where it keeps the record of each.
 *
 * <p>In memory, read from the records at the start: a few hundred bytes for an object that has a
 * megabyte or more.
 *
 * <p>Threading: thread-safe.
 */
public final class CodedIndex {
  private final Map<Address, Row> rows = new ConcurrentHashMap<>();
  private final Map<Address, Address> owners = new ConcurrentHashMap<>();

  /** Without the tree, which is read with the record when it is needed. */
  public record Row(
      Address object, long sizeBytes, int dataShards, List<Address> shards, Address record) {
    public Row {
      shards = List.copyOf(shards);
    }
  }

  public void add(CodedObject object, Address record) {
    rows.put(
        object.address(),
        new Row(
            object.address(),
            object.sizeBytes(),
            object.layout().dataShards(),
            object.shards(),
            record));
    object.shards().forEach(shard -> owners.put(shard, object.address()));
  }

  public void remove(Address object) {
    Row row = rows.remove(object);
    if (row != null) {
      row.shards().forEach(owners::remove);
    }
  }

  public Optional<Row> find(Address object) {
    return Optional.ofNullable(rows.get(object));
  }

  /** The object that a shard belongs to. */
  public Optional<Address> ownerOf(Address shard) {
    return Optional.ofNullable(owners.get(shard));
  }

  public int objects() {
    return rows.size();
  }

  /** In the order of addresses. */
  public List<Inventory.Listed> listed() {
    var all = new ArrayList<Inventory.Listed>();
    rows.values().forEach(row -> all.add(new Inventory.Listed(row.object(), row.sizeBytes())));
    all.sort(Comparator.comparing(each -> each.address().toString()));
    return all;
  }

  List<ContentStat> list() {
    return listed().stream()
        .map(each -> new ContentStat(each.address(), each.sizeBytes()))
        .toList();
  }
}
