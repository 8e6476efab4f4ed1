package dev.ron.storage.upload;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.Scope;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.DataDirectories;
import dev.ron.storage.object.DataDirectory;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.upload.OpenUploads.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All uploads that are not complete, found again after a restart, bounded in number.
 *
 * <p>An upload that names its address has an id that follows from it: a client that begins it
 * again, from wherever, goes on where it was left.
 *
 * <p>Threading: thread-safe; its parts are.
 */
public final class Uploads {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final String SUFFIX = ".parts";
  private static final String OPERATOR = "anonymous";

  private final Scope scope;
  private final List<DataDirectories.Opened> directories;
  private final Volumes volumes;
  private final UploadCompletion completion;
  private final int partsMax;
  private final OpenUploads open;

  public Uploads(
      Scope scope,
      StorageConfig config,
      List<DataDirectories.Opened> directories,
      Volumes volumes,
      StorageMetrics metrics)
      throws IOException {
    this.scope = scope;
    this.directories = directories;
    this.volumes = volumes;
    this.completion = new UploadCompletion(scope);
    this.open = new OpenUploads(config.uploads().max(), metrics);
    this.partsMax =
        Math.toIntExact(
            Math.min(
                Integer.MAX_VALUE / Hash.BYTES,
                Math.ceilDiv(config.sizes().objectBytes().bytes(), (long) HashTree.PART_BYTES)));
    for (DataDirectories.Opened each : directories) {
      for (Path file : each.directory().disk().list(each.directory().uploads())) {
        String name = file.getFileName().toString();
        if (name.endsWith(SUFFIX)) {
          open.add(name.substring(0, name.length() - SUFFIX.length()), new Place(each, file, null));
        }
      }
    }
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
    Optional<StorageFault> refused = open.begin(id, owner.isOperator() ? null : hash);
    if (refused.isPresent()) {
      return new Begun.Refused(refused.get());
    }
    try {
      return create(id, hash, address);
    } finally {
      open.changed(id);
    }
  }

  private Begun create(String id, Hash owner, Optional<Address> address) throws IOException {
    Optional<DataDirectories.Opened> home = homeFor(id);
    if (home.isEmpty()) {
      return new Begun.Refused(new StorageFault.Unavailable("no directory takes writes now"));
    }
    Instant now = scope.time().wall();
    var head = new UploadSpool.Head(now.toEpochMilli(), owner, address);
    DataDirectory directory = home.get().directory();
    Path file = directory.uploads().resolve(id + SUFFIX);
    UploadSpool spool = UploadSpool.create(directory.disk(), file, head);
    Upload upload = Upload.begun(id, spool, home.get().volume(), partsMax, now);
    completion.forget(id);
    open.add(id, new Place(home.get(), file, upload));
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

  private Optional<DataDirectories.Opened> homeFor(String id) {
    return volumes
        .shelfFor(new Address(Blake3.hash(id.getBytes(UTF_8))))
        .flatMap(
            volume -> directories.stream().filter(each -> each.volume() == volume).findFirst());
  }

  /** The upload, if it is open and that tenant's. */
  public Optional<Upload> find(String id, Owner owner) throws IOException {
    Place place = open.at(id);
    if (place == null || !ID.matcher(id).matches()) {
      return Optional.empty();
    }
    Upload upload = place.upload() != null ? place.upload() : load(id, place);
    return Optional.ofNullable(upload)
        .filter(found -> found.spool().head().owner().equals(hash(owner)));
  }

  /** Reads which parts are there; two requests at once read twice and keep one. */
  @SuppressWarnings("ReferenceEquality") // the very one, not one like it
  private @Nullable Upload load(String id, Place place) throws IOException {
    Optional<UploadSpool> spool = UploadSpool.open(place.disk(), place.file());
    if (spool.isEmpty()) {
      scope.log().warn("upload-unreadable", "file", place.file());
      forget(id, null, () -> place.disk().delete(place.file()));
      return null;
    }
    Upload kept = null;
    try {
      kept = open.loaded(id, Upload.resumed(id, spool.get(), place.home().volume(), partsMax));
      return kept;
    } finally {
      if (kept == null || kept.spool() != spool.get()) {
        spool.get().close();
      }
    }
  }

  private interface Deletion {
    void run() throws IOException;
  }

  private void forget(String id, @Nullable Upload upload, Deletion file) throws IOException {
    if (open.remove(id, upload)) {
      try {
        file.run();
      } finally {
        open.changed(id);
      }
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
    forget(upload.id(), upload, upload.spool()::delete);
  }

  /** Drops what got no part since then; answers how many that were. */
  int expire(Instant then) throws IOException {
    int dropped = 0;
    for (Map.Entry<String, Place> each : open.all().entrySet()) {
      Upload known = each.getValue().upload();
      Upload upload = known != null ? known : load(each.getKey(), each.getValue());
      if (upload != null && upload.idleSince(then)) {
        drop(upload);
        dropped++;
      }
    }
    return dropped;
  }

  /** Lets go of the files; what waits in them is found again. */
  void close() throws IOException {
    for (Upload upload : open.inMemory()) {
      upload.spool().close();
    }
  }
}
