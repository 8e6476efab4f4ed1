package dev.ron.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Spans and seals in files, each whole or not there. What the disk gives back is compared with what
 * was written before it is used: a span with its own check and with its seal, a seal with its
 * signature.
 *
 * <p>Threading: thread-safe; {@link UsageTask} writes spans and {@link SealTask} seals.
 */
public final class UsageFolder {
  /** Six weeks of hours. Older spans are in the storage; their seals stay here too. */
  static final int SPANS_KEPT = 1000;

  private static final String SPAN = ".span";
  private static final String SEAL = ".seal";
  private static final int BYTES_MAX = 1 << 30;
  private static final SortedMap<String, String> NONE = Collections.emptySortedMap();

  private final Disk disk;
  private final Path folder;
  private final NavigableSet<Long> spans = new ConcurrentSkipListSet<>();
  private final NavigableSet<Long> seals = new ConcurrentSkipListSet<>();
  private final Map<Long, Address> sound = new ConcurrentHashMap<>();
  private final Map<String, UsageDamage> damage = new ConcurrentHashMap<>();

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

  /** What the file of a seal is called. */
  public static String sealName(long number) {
    return name(number, SEAL);
  }

  private static String name(long number, String kind) {
    return "%012d%s".formatted(number, kind);
  }

  private Path file(long number, String kind) {
    return folder.resolve(name(number, kind));
  }

  /** The numbers of the spans that are kept, oldest first. */
  public NavigableSet<Long> spans() {
    return spans;
  }

  /** The numbers of all seals, oldest first. */
  public NavigableSet<Long> seals() {
    return seals;
  }

  /** How many spans have no seal. */
  int waiting() {
    return spans.tailSet(seals.isEmpty() ? 0L : seals.last(), false).size();
  }

  /** The lowest number above this that has a span or a seal. */
  @Nullable Long after(long number) {
    Long span = spans.higher(number);
    Long seal = seals.higher(number);
    return span == null || (seal != null && seal < span) ? seal : span;
  }

  /** The newest number of all; 0 if there is none. */
  long newest() {
    return Math.max(spans.isEmpty() ? 0 : spans.last(), seals.isEmpty() ? 0 : seals.last());
  }

  Path path() {
    return folder;
  }

  /**
   * The oldest span without a seal. After a seal it is the next number, also where the file of that
   * span is gone and only later ones are there: a chain leaves out none.
   */
  Optional<Long> unsealed() {
    if (seals.isEmpty()) {
      return spans.isEmpty() ? Optional.empty() : Optional.of(spans.first());
    }
    return spans.higher(seals.last()) == null ? Optional.empty() : Optional.of(seals.last() + 1);
  }

  /** Durable when this returns. */
  void write(UsageSpan span) throws IOException {
    replace(file(span.number(), SPAN), SpanFile.write(span));
    spans.add(span.number());
    damage.remove(name(span.number(), SPAN));
  }

  /** Durable when this returns; lets the oldest sealed spans go. */
  void write(Seal seal) throws IOException {
    replace(file(seal.number(), SEAL), seal.bytes());
    seals.add(seal.number());
    sound.put(seal.number(), seal.address());
    damage.remove(name(seal.number(), SEAL));
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

  /** Whether a span is in its file and can be read. */
  boolean holds(long number) throws IOException {
    try {
      return spans.contains(number) && span(number).number() == number;
    } catch (DamagedFileException _) {
      return false;
    }
  }

  public UsageSpan span(long number) throws IOException {
    return SpanFile.read(number, bytes(file(number, SPAN)));
  }

  /** A seal as it was written. */
  public byte[] seal(long number) throws IOException {
    return bytes(file(number, SEAL));
  }

  /** A seal that was found to be one: its spelling, its number, its signature. */
  Seal soundSeal(long number) throws IOException {
    byte[] bytes = seal(number);
    Seal seal;
    try {
      seal = Seal.parse(bytes);
    } catch (IOException wrong) {
      throw new DamagedFileException(String.valueOf(wrong.getMessage()));
    }
    if (seal.number() != number) {
      throw new DamagedFileException("it holds seal " + seal.number());
    }
    // A signature costs more than the hash, and a seal that is there for good is asked for often.
    Address address = new Address(Blake3.hash(bytes));
    if (!address.equals(sound.get(number))) {
      if (seal.signer().isEmpty()) {
        throw new DamagedFileException(
            "the signature does not fit, or is not by the key of node " + seal.node());
      }
      sound.put(number, address);
    }
    return seal;
  }

  /** A span and its seal, compared; what is wrong is known afterwards in {@link #damage}. */
  public CheckedSpan checked(long number) throws IOException {
    var found = new ArrayList<UsageDamage>();
    Seal seal = null;
    if (seals.contains(number)) {
      try {
        seal = soundSeal(number);
      } catch (DamagedFileException wrong) {
        found.add(damaged(number, SEAL, wrong.why(), null));
      }
      forgetUnless(found, number, SEAL);
    }
    UsageSpan span = null;
    if (spans.contains(number)) {
      try {
        span = like(span(number), seal);
      } catch (DamagedFileException wrong) {
        found.add(damaged(number, SPAN, wrong.why(), seal));
      }
      forgetUnless(found, number, SPAN);
    }
    found.forEach(each -> damage.put(each.file(), each));
    return new CheckedSpan(number, Optional.ofNullable(span), Optional.ofNullable(seal), found);
  }

  private static UsageSpan like(UsageSpan span, @Nullable Seal seal) throws DamagedFileException {
    if (seal != null
        && !(seal.from().equals(span.from())
            && seal.to().equals(span.to())
            && seal.accounting().equals(Seal.accountingOf(span)))) {
      throw new DamagedFileException("it is not what was sealed");
    }
    return span;
  }

  private UsageDamage damaged(long number, String kind, String why, @Nullable Seal seal) {
    return new UsageDamage(number, name(number, kind), why, seal == null ? NONE : seal.counts());
  }

  private void forgetUnless(List<UsageDamage> found, long number, String kind) {
    String file = name(number, kind);
    if (found.stream().noneMatch(each -> each.file().equals(file))) {
      damage.remove(file);
    }
  }

  /** What is known to be damaged now, by the names of files. */
  public SortedMap<String, UsageDamage> damage() {
    return new TreeMap<>(damage);
  }

  /**
   * Gives up a span that cannot be read any more. Its file stays beside under another name, for an
   * operator to look at.
   */
  void giveUp(long number) throws IOException {
    Path file = file(number, SPAN);
    if (disk.exists(file)) {
      disk.rename(file, file.resolveSibling(file.getFileName() + ".damaged"));
      disk.flushDirectory(folder);
    }
    spans.remove(number);
    damage.remove(name(number, SPAN));
  }

  private byte[] bytes(Path file) throws IOException {
    if (!disk.exists(file)) {
      throw new DamagedFileException("it is gone");
    }
    try (DiskFile in = disk.openReadOnly(file)) {
      if (in.size() > BYTES_MAX) {
        throw new DamagedFileException("it is too large");
      }
      var bytes = ByteBuffer.allocate((int) in.size());
      in.read(bytes, 0);
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }
}
