package dev.ron.storage.cluster.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.AddressKey;
import dev.ron.content.ContentStat;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.reference.Reference;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Records of owners on the disks: each is a small object of its text, in the store beside the
 * objects', in every directory.
 *
 * <p>A record is stored before the one that it replaces is deleted, so a crash leaves both, and the
 * higher ballot counts. References that the machine wrote while it was alone are in the same place
 * in their own form, and count as what it began with.
 *
 * <p>Threading: thread-safe; what is to be deleted waits in a bounded queue. One task sweeps.
 */
final class OwnerRecords implements OwnerStore {
  private static final int PAGE = 1000;

  /** An object with as many tenants as it can have. */
  private static final int TEXT_BYTES_MAX = 256 << 10;

  private static final String CEILING = "ceiling ";
  private static final String LEVEL = "level";

  /**
   * More than wait after one step of the task that deletes them. Then a change waits for one; what
   * a start finds beyond that, the next one finds again.
   */
  private static final int REPLACED_MAX = 1 << 14;

  private final String node;
  private final Volumes volumes;
  private final ObjectStore objects;
  private final Queue<Address> replaced = new ArrayBlockingQueue<>(REPLACED_MAX);
  private volatile @Nullable String ceiling;

  /** Bad copies when all was last looked at; below all there can be before the first look. */
  private long healed = -1;

  /**
   * @param objects of this machine, for the sizes of what it had while it was alone
   */
  OwnerRecords(String node, Volumes volumes, ObjectStore objects) {
    this.node = node;
    this.volumes = volumes;
    this.objects = objects;
  }

  @Override
  public Loaded load() {
    var latest = new HashMap<AddressKey, OwnerRecord>();
    var alone = new HashMap<Address, Set<String>>();
    var unread = new ArrayList<Address>();
    long highest = 0;
    boolean level = false;
    List<ContentStat> page = volumes.list(null, PAGE);
    while (!page.isEmpty()) {
      for (ContentStat stat : page) {
        String text = text(stat);
        if (text.startsWith(CEILING) && text.substring(CEILING.length()).matches("[0-9]{1,18}")) {
          long here = Long.parseLong(text.substring(CEILING.length()));
          String lower = here >= highest ? ceiling : text;
          ceiling = here >= highest ? text : ceiling;
          highest = Math.max(highest, here);
          if (lower != null) {
            replaced.offer(place(lower));
          }
        } else if (text.equals(LEVEL)) {
          level = true;
        } else if (!known(text, latest, alone)) {
          unread.add(stat.address());
        }
      }
      page = volumes.list(page.getLast().address(), PAGE);
    }
    alone.forEach((address, tenants) -> founding(latest, address, tenants));
    if (unread.isEmpty()) {
      return new Loaded(new ArrayList<>(latest.values()), highest, level);
    }
    if (isUnmarked()) {
      replaced.addAll(unread.subList(0, Math.min(unread.size(), REPLACED_MAX - replaced.size())));
    }
    return new Loaded(new ArrayList<>(latest.values()), highest, false);
  }

  /** What cannot be read may only go once no later start takes the rest for all there was. */
  private boolean isUnmarked() {
    try {
      return gone(place(LEVEL));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean known(
      String text, Map<AddressKey, OwnerRecord> latest, Map<Address, Set<String>> alone) {
    var record = OwnerRecord.parse(text);
    if (record.isPresent()) {
      OwnerRecord before = latest.get(record.get().key());
      OwnerRecord later = Proposal.later(before, record.get());
      if (before != null && later != null) {
        replaced.offer(place(later.equals(before) ? text : before.text()));
      }
      latest.put(record.get().key(), later == null ? record.get() : later);
      return true;
    }
    var reference = Reference.parse(text);
    reference.ifPresent(
        each -> alone.computeIfAbsent(each.address(), _ -> new TreeSet<>()).add(each.tenant()));
    return reference.isPresent();
  }

  private void founding(Map<AddressKey, OwnerRecord> latest, Address address, Set<String> tenants) {
    tenants.remove(Reference.DROPPED);
    try {
      long size = objects.stat(address).map(ContentStat::sizeBytes).orElse(0L);
      var ballot = new Ballot(Ballot.FOUNDING, node);
      latest.putIfAbsent(
          AddressKey.of(address), new OwnerRecord(address, ballot, Owners.of(size, tenants)));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private String text(ContentStat stat) {
    if (stat.sizeBytes() > TEXT_BYTES_MAX) {
      return "";
    }
    try (InputStream in = new ObjectReaderStream(new FallbackReader(volumes, stat.address()))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException _) {
      return "";
    }
  }

  private static Address place(String text) {
    return new Address(Blake3.hash(text.getBytes(UTF_8)));
  }

  @Override
  public void put(OwnerRecord record, @Nullable OwnerRecord before)
      throws IOException, InterruptedException {
    store(record.text());
    if (before != null && !before.equals(record)) {
      replaced(before.text());
    }
  }

  @Override
  public void ceiling(long counter) throws IOException, InterruptedException {
    String text = CEILING + counter;
    String before = ceiling;
    store(text);
    ceiling = text;
    if (before != null) {
      replaced(before);
    }
  }

  @Override
  public void level() throws IOException, InterruptedException {
    store(LEVEL);
  }

  private void store(String text) throws IOException, InterruptedException {
    if (volumes.put(place(text), ObjectStore.Source.of(text.getBytes(UTF_8)))
        instanceof ObjectStore.Written.Refused(StorageFault fault)) {
      throw new IOException("a reference cannot be stored: " + fault.detail());
    }
  }

  private void replaced(String text) throws InterruptedException {
    Address place = place(text);
    boolean kept = replaced.offer(place);
    while (!kept && forgetOne()) {
      kept = replaced.offer(place);
    }
  }

  @Override
  public void sweep(Collection<OwnerRecord> all) throws InterruptedException {
    long bad = volumes.badCopies();
    if (bad > healed) {
      for (OwnerRecord each : all) {
        heal(each);
      }
    }
    healed = bad;
    for (int left = replaced.size(); left > 0 && forgetOne(); left--) {
      // until the disk refuses one
    }
  }

  /** A copy that a directory lacks is as good as one that rotted. */
  private void heal(OwnerRecord record) throws InterruptedException {
    Address place = place(record.text());
    boolean lacking =
        volumes.all().stream()
            .anyMatch(each -> each.home().takesWrites() && !each.store().sound(place));
    if (lacking) {
      try {
        store(record.text());
      } catch (IOException _) {
        // It is in memory and on the other machines, and tried again when the next one rots.
      }
    }
  }

  private boolean forgetOne() throws InterruptedException {
    Address place = replaced.poll();
    if (place == null) {
      return false;
    }
    boolean gone = gone(place);
    if (!gone) {
      replaced.offer(place);
    }
    return gone;
  }

  private boolean gone(Address place) throws InterruptedException {
    return volumes
        .delete(place)
        .filter(fault -> !(fault instanceof StorageFault.NotFound))
        .isEmpty();
  }
}
