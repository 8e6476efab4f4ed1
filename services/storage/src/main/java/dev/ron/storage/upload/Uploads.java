package dev.ron.storage.upload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.Disk;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.DataDirectories;
import dev.ron.storage.object.DataDirectory;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All uploads that are not complete, found again after a restart, bounded in number.
 *
 * <p>An upload that names its address has an id that follows from it: a client that begins it
 * again, from wherever, goes on where it was left.
 *
 * <p>Threading: thread-safe; {@code lock} guards the tables and is not held while files are
 * touched.
 */
public final class Uploads {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final String SUFFIX = ".parts";
  private static final String OPERATOR = "anonymous";

  private final Scope scope;
  private final StorageConfig config;
  private final List<DataDirectories.Opened> directories;
  private final Volumes volumes;
  private final StorageMetrics metrics;
  private final UploadCompletion completion;
  private final int partsMax;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<String, Place> open = new LinkedHashMap<>();

  @GuardedBy("lock") private final Set<String> beginning = new HashSet<>();

  /** Where an upload is; its ledger is read when it is first asked for. */
  private record Place(Disk disk, Path file, @Nullable Upload upload) {
    Place with(Upload loaded) {
      return new Place(disk, file, loaded);
    }
  }

  public Uploads(
      Scope scope,
      StorageConfig config,
      List<DataDirectories.Opened> directories,
      Volumes volumes,
      StorageMetrics metrics)
      throws IOException {
    this.scope = scope;
    this.config = config;
    this.directories = directories;
    this.volumes = volumes;
    this.metrics = metrics;
    this.completion = new UploadCompletion(scope);
    this.partsMax =
        Math.toIntExact(
            Math.min(
                Integer.MAX_VALUE / Hash.BYTES,
                Math.ceilDiv(config.sizes().objectBytes().bytes(), (long) HashTree.PART_BYTES)));
    for (DataDirectories.Opened each : directories) {
      Disk disk = each.directory().disk();
      for (Path file : disk.list(each.directory().uploads())) {
        String name = file.getFileName().toString();
        if (name.endsWith(SUFFIX)) {
          open.put(name.substring(0, name.length() - SUFFIX.length()), new Place(disk, file, null));
        }
      }
    }
    metrics.uploadsOpen().set(open.size());
  }

  /** What became of a beginning. */
  public sealed interface Begun {
    record Open(Upload upload, boolean fresh) implements Begun {}

    record Refused(StorageFault fault) implements Begun {}
  }

  /**
   * Begins an upload, or finds the one that was begun for the same address by the same tenant.
   *
   * @param address what the whole shall be, if the caller knows
   */
  public Begun begin(Owner owner, Optional<Address> address) throws IOException {
    if (directories.isEmpty()) {
      return new Begun.Refused(new StorageFault.Amnesia("the parts of an upload"));
    }
    Hash hash = hash(owner);
    String id = address.isPresent() ? id(hash, address.get()) : randomId();
    Optional<Upload> there = find(id, owner);
    if (there.isPresent()) {
      return new Begun.Open(there.get(), false);
    }
    Optional<Begun> refused = reserve(id);
    if (refused.isPresent()) {
      return refused.get();
    }
    try {
      return create(id, hash, address);
    } finally {
      lock.lock();
      try {
        beginning.remove(id);
      } finally {
        lock.unlock();
      }
    }
  }

  /** No other request begins the same, and there is room for it. */
  private Optional<Begun> reserve(String id) {
    lock.lock();
    try {
      if (open.containsKey(id) || !beginning.add(id)) {
        return Optional.of(
            new Begun.Refused(
                new StorageFault.UploadConflict("the upload is being begun by another request")));
      }
      if (open.size() + beginning.size() > config.uploads().max()) {
        beginning.remove(id);
        return Optional.of(
            new Begun.Refused(new StorageFault.Busy("uploads", config.uploads().max())));
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private Begun create(String id, Hash owner, Optional<Address> address) throws IOException {
    Optional<DataDirectory> directory = directoryFor(id);
    if (directory.isEmpty()) {
      return new Begun.Refused(new StorageFault.Unavailable("no directory takes writes now"));
    }
    Instant now = scope.time().wall();
    var head = new UploadSpool.Head(now.toEpochMilli(), owner, address);
    Path file = directory.get().uploads().resolve(id + SUFFIX);
    Disk disk = directory.get().disk();
    Upload upload = Upload.begun(id, UploadSpool.create(disk, file, head), partsMax, now);
    lock.lock();
    try {
      open.put(id, new Place(disk, file, upload));
      metrics.uploadsOpen().set(open.size());
    } finally {
      lock.unlock();
    }
    return new Begun.Open(upload, true);
  }

  private static String id(Hash owner, Address address) {
    byte[] both = (owner.hex() + address).getBytes(UTF_8);
    return Blake3.hash(both).hex().substring(0, 32);
  }

  private String randomId() {
    return HexFormat.of().toHexDigits(scope.secrets().nextLong())
        + HexFormat.of().toHexDigits(scope.secrets().nextLong());
  }

  /** The operator's are under the name that they were under before tenants had their own. */
  private static Hash hash(Owner owner) {
    String tenant = owner.tenant();
    String name = tenant == null ? OPERATOR : tenant.equals(OPERATOR) ? "~" + tenant : tenant;
    return Blake3.hash(name.getBytes(UTF_8));
  }

  private Optional<DataDirectory> directoryFor(String id) {
    return volumes
        .shelfFor(new Address(Blake3.hash(id.getBytes(UTF_8))))
        .flatMap(
            volume ->
                directories.stream()
                    .filter(each -> each.volume() == volume)
                    .map(DataDirectories.Opened::directory)
                    .findFirst());
  }

  /** The upload, if it is open and that tenant's. */
  public Optional<Upload> find(String id, Owner owner) throws IOException {
    Place place = place(id);
    if (place == null || !ID.matcher(id).matches()) {
      return Optional.empty();
    }
    Upload upload = place.upload() != null ? place.upload() : load(id, place);
    return Optional.ofNullable(upload)
        .filter(found -> found.spool().head().owner().equals(hash(owner)));
  }

  private @Nullable Place place(String id) {
    lock.lock();
    try {
      return open.get(id);
    } finally {
      lock.unlock();
    }
  }

  /** Reads which parts are there; two requests at once read twice and keep one. */
  private @Nullable Upload load(String id, Place place) throws IOException {
    Optional<UploadSpool> spool = UploadSpool.open(place.disk(), place.file());
    if (spool.isEmpty()) {
      scope.log().warn("upload-unreadable", "file", place.file());
      forget(id);
      place.disk().delete(place.file());
      return null;
    }
    Upload loaded = Upload.resumed(id, spool.get(), partsMax);
    Upload kept = keep(id, place, loaded);
    if (kept != loaded) {
      spool.get().close();
    }
    return kept;
  }

  @SuppressWarnings("ReferenceEquality") // the very one, not one like it
  private Upload keep(String id, Place place, Upload loaded) {
    lock.lock();
    try {
      Place now = open.get(id);
      if (now != null && now.upload() != null) {
        return now.upload();
      }
      open.put(id, place.with(loaded));
      return loaded;
    } finally {
      lock.unlock();
    }
  }

  private void forget(String id) {
    lock.lock();
    try {
      open.remove(id);
      metrics.uploadsOpen().set(open.size());
    } finally {
      lock.unlock();
    }
  }

  /** What became of it, for a client that asks again because the answer was lost. */
  public Optional<ObjectStore.Written.Stored> completed(String id, Owner owner) {
    return completion.before(id, hash(owner));
  }

  /**
   * Makes the parts an object; answers when its quorum is durable.
   *
   * @param wanted what the caller takes them for, beside what the upload was begun for
   * @param objects where it goes
   */
  public ObjectStore.Written complete(Upload upload, Optional<Address> wanted, ObjectStore objects)
      throws IOException, InterruptedException {
    ObjectStore.Written written = completion.complete(upload, wanted, objects);
    if (written instanceof ObjectStore.Written.Stored) {
      drop(upload);
    }
    return written;
  }

  /** Gives an upload up, with its parts. */
  public void drop(Upload upload) throws IOException {
    forget(upload.id());
    upload.spool().delete();
  }

  /** Drops what got no part since then; answers how many that were. */
  int expire(Instant then) throws IOException {
    List<String> ids;
    lock.lock();
    try {
      ids = List.copyOf(open.keySet());
    } finally {
      lock.unlock();
    }
    int dropped = 0;
    for (String id : ids) {
      Place place = place(id);
      if (place == null) {
        continue;
      }
      Upload upload = place.upload() != null ? place.upload() : load(id, place);
      if (upload != null && upload.idleSince(then)) {
        drop(upload);
        dropped++;
      }
    }
    return dropped;
  }

  /** Lets go of the files; what waits in them is found again. */
  void close() throws IOException {
    List<Place> places;
    lock.lock();
    try {
      places = List.copyOf(open.values());
    } finally {
      lock.unlock();
    }
    for (Place place : places) {
      if (place.upload() != null) {
        place.upload().spool().close();
      }
    }
  }
}
