package dev.ron.node.fsck;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.SegmentScan;
import dev.ron.content.segment.SegmentScan.Found;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.storage.reference.Reference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What tenants keep, against the objects that there are.
 *
 * <p>A reference is durable before its bytes, so one without them may be of a put that was under
 * way. It counts as that where its segment was not ended in order; anywhere else the bytes are
 * lost, or a crash before the last start cut the put. Nothing tells these two apart.
 *
 * <p>Threading: owned by one thread.
 */
final class ReferenceCheck {
  static final String STORE = "objects of tenants";
  private static final int TEXT_BYTES_MAX = 256;

  private final NodeCheck check;
  private final Set<Address> references;
  private final Set<Address> objects;

  /** By object: the tenants that keep it and have no bytes, and whether that can be of a crash. */
  private final SortedMap<Address, Map<String, Boolean>> bare =
      new TreeMap<>(Comparator.comparing(Address::toString));

  private ReferenceCheck(NodeCheck check, Set<Address> references, Set<Address> objects) {
    this.check = check;
    this.references = references;
    this.objects = objects;
  }

  /**
   * @param references the addresses of those that are whole on some disk
   * @param objects those that are whole on some disk
   */
  static void run(NodeCheck check, Set<Address> references, Set<Address> objects)
      throws IOException {
    var held = new ReferenceCheck(check, references, objects);
    for (Path disk : check.folders().disks()) {
      for (Path file : NodeCheck.list(disk.resolve(StorageCheck.REFERENCES_FOLDER))) {
        held.segment(file);
      }
    }
    held.bare.forEach(held::say);
  }

  private void segment(Path path) {
    String name = String.valueOf(path.getFileName());
    if (!name.endsWith(Segment.SUFFIX)) {
      return;
    }
    try (DiskFile file = check.scope().disk().openReadOnly(path)) {
      int number =
          Integer.parseUnsignedInt(name.substring(0, name.length() - Segment.SUFFIX.length()), 16);
      Segment segment = Segment.read(Objects.requireNonNull(path.getParent()), number, file);
      if (segment == null) {
        return;
      }
      long size = file.size();
      boolean sealed = SegmentScan.isSealed(segment, file, size);
      var scan = new SegmentScan(segment, file, Segment.HEAD_BYTES, size, true);
      for (Found found = scan.next(); found != null; found = scan.next()) {
        see(found, file, sealed);
      }
    } catch (IOException | NumberFormatException _) {
      // The check of the store has told of it.
    }
  }

  private void see(Found found, DiskFile file, boolean sealed) throws IOException {
    RecordHeader header = found.header();
    if (header.kind() != RecordHeader.Kind.OBJECT
        || header.length() > TEXT_BYTES_MAX
        || !references.contains(header.key().address())) {
      return;
    }
    byte[] text = new byte[(int) header.length()];
    file.read(ByteBuffer.wrap(text), found.offset() + RecordHeader.BYTES);
    Reference.parse(new String(text, UTF_8))
        .filter(reference -> !objects.contains(reference.address()))
        .ifPresent(
            reference ->
                bare.computeIfAbsent(reference.address(), _ -> new HashMap<>())
                    .merge(reference.tenant(), sealed, Boolean::logicalOr));
  }

  /** What is to go may have gone: its mark is taken away last. */
  private void say(Address address, Map<String, Boolean> tenants) {
    if (tenants.containsKey(Reference.DROPPED)) {
      return;
    }
    String what =
        "%s, kept for %s, is on no disk"
            .formatted(address, String.join(", ", new TreeMap<>(tenants).keySet()));
    if (tenants.containsValue(true)) {
      check.lost(STORE, what);
    } else {
      check.unfinished(STORE, what);
    }
  }
}
