package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.Volumes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The records of coded objects among this node's shards, and which objects they are of.
 *
 * <p>Threading: thread-safe.
 */
final class CodedRecords {
  private static final int PAGE = 1000;

  private final Volumes shards;
  private final CodedIndex index;

  CodedRecords(Volumes shards, CodedIndex index) {
    this.shards = shards;
    this.index = index;
  }

  CodedIndex index() {
    return index;
  }

  /** Remembers a coded object if what was stored is the record of one. */
  void learn(Address stored) {
    Optional<ContentStat> stat = shards.stat(stored);
    if (stat.isPresent() && CodedObject.isRecord(stat.get().sizeBytes())) {
      record(stat.get()).ifPresent(object -> index.add(object, stored));
    }
  }

  /** Reads all records that are on the disks; at the start, before the first request. */
  void learnAll() {
    Address after = null;
    List<ContentStat> page;
    do {
      page = shards.list(after, PAGE);
      for (ContentStat stat : page) {
        after = stat.address();
        if (CodedObject.isRecord(stat.sizeBytes())) {
          record(stat).ifPresent(object -> index.add(object, stat.address()));
        }
      }
    } while (!page.isEmpty());
  }

  Optional<CodedObject> find(Address address) {
    return index
        .find(address)
        .flatMap(row -> shards.stat(row.record()))
        .flatMap(this::record)
        .filter(object -> object.address().equals(address));
  }

  private Optional<CodedObject> record(ContentStat stat) {
    try {
      return read(shards, stat, 0, Math.toIntExact(stat.sizeBytes())).flatMap(CodedObject::decoded);
    } catch (IOException lost) {
      return Optional.empty();
    }
  }

  /** Verified bytes of what is on these volumes; empty if it is not there. */
  static Optional<byte[]> read(Volumes volumes, ContentStat stat, long from, int length)
      throws IOException {
    if (volumes.stat(stat.address()).isEmpty()) {
      return Optional.empty();
    }
    long end = Math.min(stat.sizeBytes(), from + length);
    var bytes = new ByteArrayOutputStream((int) Math.max(0, end - from));
    try (var transfer = new FallbackReader(volumes, stat.address(), from, end)) {
      while (bytes.size() < end - from) {
        switch (transfer.next()) {
          case ObjectReader.Step.Bytes(ByteBuffer group) -> {
            byte[] copy = new byte[group.remaining()];
            group.get(copy);
            bytes.write(copy);
          }
          case ObjectReader.Step.End _ -> throw new IOException("shorter than it is said to be");
          case ObjectReader.Step.Lost(StorageFault fault) -> throw new IOException(fault.detail());
        }
      }
    }
    return Optional.of(bytes.toByteArray());
  }
}
