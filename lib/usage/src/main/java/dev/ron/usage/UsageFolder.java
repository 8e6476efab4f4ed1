package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Spans and seals in files, each whole or not there. A span's file is one line about it, and its
 * accounting behind that line.
 *
 * <p>Threading: thread-safe; {@link UsageTask} writes spans and {@link SealTask} seals.
 */
public final class UsageFolder {
  /** Six weeks of hours. Older spans are in the storage; their seals stay here too. */
  static final int SPANS_KEPT = 1000;

  private static final String SPAN = ".span";
  private static final String SEAL = ".seal";
  private static final int BYTES_MAX = 1 << 30;

  private final Disk disk;
  private final Path folder;
  private final NavigableSet<Long> spans = new ConcurrentSkipListSet<>();
  private final NavigableSet<Long> seals = new ConcurrentSkipListSet<>();

  private UsageFolder(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  public static UsageFolder open(Disk disk, Path folder) throws IOException {
    disk.createFolders(folder);
    var opened = new UsageFolder(disk, folder);
    for (Path each : disk.list(folder)) {
      opened.found(String.valueOf(each.getFileName()));
    }
    return opened;
  }

  private void found(String name) {
    if (name.matches("[0-9]{1,18}[.](span|seal)")) {
      (name.endsWith(SPAN) ? spans : seals)
          .add(Long.parseLong(name.substring(0, name.length() - SPAN.length())));
    }
  }

  private Path file(long number, String kind) {
    return folder.resolve("%012d%s".formatted(number, kind));
  }

  /** The numbers of the spans that are kept, oldest first. */
  public NavigableSet<Long> spans() {
    return spans;
  }

  /** The numbers of all seals, oldest first. */
  public NavigableSet<Long> seals() {
    return seals;
  }

  /** The newest number of all; 0 if there is none. */
  long newest() {
    return Math.max(spans.isEmpty() ? 0 : spans.last(), seals.isEmpty() ? 0 : seals.last());
  }

  Path path() {
    return folder;
  }

  /** The oldest span without a seal. */
  Optional<Long> unsealed() {
    return Optional.ofNullable(spans.higher(seals.isEmpty() ? 0 : seals.last()));
  }

  /** Durable when this returns. */
  void write(UsageSpan span) throws IOException {
    var head = new TreeMap<String, @Nullable Object>();
    head.put("number", span.number());
    head.put("from", span.from().toString());
    head.put("to", span.to().toString());
    byte[] first = (CanonicalJson.text(head) + "\n").getBytes(UTF_8);
    byte[] lines = AccountingLines.write(span.units());
    byte[] whole = Arrays.copyOf(first, first.length + lines.length);
    System.arraycopy(lines, 0, whole, first.length, lines.length);
    replace(file(span.number(), SPAN), whole);
    spans.add(span.number());
  }

  /** Durable when this returns; lets the oldest sealed spans go. */
  void write(Seal seal) throws IOException {
    replace(file(seal.number(), SEAL), seal.bytes());
    seals.add(seal.number());
    while (spans.size() > SPANS_KEPT && spans.first() < seals.last()) {
      disk.delete(file(spans.first(), SPAN));
      spans.pollFirst();
    }
  }

  private void replace(Path file, byte[] bytes) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (DiskFile out = disk.open(draft)) {
      out.truncate(0);
      out.write(ByteBuffer.wrap(bytes), 0);
      out.flush();
    }
    disk.rename(draft, file);
    disk.flushDirectory(folder);
  }

  public UsageSpan span(long number) throws IOException {
    byte[] whole = bytes(file(number, SPAN));
    int end = 0;
    while (end < whole.length && whole[end] != '\n') {
      end++;
    }
    try {
      Map<String, @Nullable Object> head = JsonTree.object(Arrays.copyOf(whole, end));
      return new UsageSpan(
          number,
          Instant.parse(String.valueOf(head.get("from"))),
          Instant.parse(String.valueOf(head.get("to"))),
          AccountingLines.read(
              Arrays.copyOfRange(whole, Math.min(end + 1, whole.length), whole.length)));
    } catch (Refusal | DateTimeException wrong) {
      throw new IOException("span %d cannot be read".formatted(number), wrong);
    }
  }

  /** A seal as it was written. */
  public byte[] seal(long number) throws IOException {
    return bytes(file(number, SEAL));
  }

  private byte[] bytes(Path file) throws IOException {
    try (DiskFile in = disk.openReadOnly(file)) {
      if (in.size() > BYTES_MAX) {
        throw new IOException(file + " is too large");
      }
      var bytes = ByteBuffer.allocate((int) in.size());
      in.read(bytes, 0);
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }
}
