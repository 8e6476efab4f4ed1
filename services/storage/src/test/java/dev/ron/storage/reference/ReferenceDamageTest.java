package dev.ron.storage.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.ContentMetrics;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.SystemTime;
import dev.ron.storage.Rig;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore.Source;
import dev.ron.testkit.FaultyDisk;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** References on disks that rot, on a disk that is new, and none at all as it was before. */
@Timeout(60)
final class ReferenceDamageTest {
  private static final byte[] OBJECT = "an object of acme".getBytes(StandardCharsets.UTF_8);
  private static final byte[] OTHER = "another".getBytes(StandardCharsets.UTF_8);
  private static final Address ADDRESS = new Address(Blake3.hash(OBJECT));
  private static final Address OTHERS = new Address(Blake3.hash(OTHER));

  private final FaultyDisk disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));

  private World world() {
    return World.seeded(
        new SystemTime(), new SplittableRandom(2), disk, Threads.virtual(), Log.silent());
  }

  private RunningObjects running() throws Exception {
    return new RunningObjects(world(), 2);
  }

  /** What the stores wrote before there were references. */
  private void storeAsBefore(byte[] object) throws Exception {
    for (String folder : new String[] {"/a", "/b"}) {
      Path objects = Path.of(folder, "objects");
      disk.createFolders(objects);
      Scope scope = Scope.of("before", world());
      SegmentStore store =
          SegmentStore.open(scope, SegmentConfig.in(objects), 0, ContentMetrics.in(scope));
      Tree tree = store.tasks().start(scope);
      store.put(new ByteArrayInputStream(object)).orThrow();
      tree.drain();
      store.close();
    }
  }

  @Test
  void whatWasStoredBeforeIsDefaultsAndTheOperators() throws Exception {
    storeAsBefore(OBJECT);
    RunningObjects first = running();
    assertThat(first.of("default").stat(ADDRESS)).isPresent();
    assertThat(first.of("default").list(null, 10)).hasSize(1);
    assertThat(first.of("").stat(ADDRESS)).isPresent();
    assertThat(first.of("acme").stat(ADDRESS)).isEmpty();
    assertThat(first.of("acme").list(null, 10)).isEmpty();
    assertThat(first.of("acme").delete(ADDRESS)).containsInstanceOf(StorageFault.NotFound.class);
    first.of("acme").put(ADDRESS, Source.of(OBJECT));
    first.end();
    RunningObjects second = running();
    assertThat(second.of("acme").stat(ADDRESS)).isPresent();
    assertThat(second.of("default").stat(ADDRESS)).as("still").isPresent();
    assertThat(second.of("acme").delete(ADDRESS)).isEmpty();
    assertThat(second.of("acme").stat(ADDRESS)).isEmpty();
    assertThat(second.of("default").stat(ADDRESS)).as("still").isPresent();
    assertThat(second.of("default").delete(ADDRESS)).isEmpty();
    Rig.eventually("the bytes go", () -> second.objects().stat(ADDRESS).isEmpty());
    second.end();
    RunningObjects third = running();
    assertThat(third.of("").stat(ADDRESS)).isEmpty();
    third.end();
  }

  @Test
  void aReferenceThatRotsEverywhereIsFoundAgainAndWrittenAnew() throws Exception {
    RunningObjects first = running();
    first.of("acme").put(ADDRESS, Source.of(OBJECT));
    first.of("acme").put(OTHERS, Source.of(OTHER));
    first.end();
    rot(ADDRESS);
    RunningObjects second = running();
    assertThat(second.of("acme").stat(ADDRESS)).isPresent();
    assertThat(second.of("default").stat(ADDRESS)).isEmpty();
    Address place = new Reference("acme", ADDRESS).place();
    Rig.eventually(
        "both directories have it again",
        () -> second.references().all().stream().allMatch(volume -> volume.store().sound(place)));
    second.end();
    RunningObjects third = running();
    assertThat(third.of("acme").list(null, 10)).hasSize(2);
    assertThat(third.of("default").list(null, 10)).isEmpty();
    third.end();
  }

  /** Its tenant has no other, so it could be any tenant's: nothing is opened by guessing. */
  @Test
  void aReferenceThatIsLostOpensNothing() throws Exception {
    RunningObjects first = running();
    first.of("acme").put(ADDRESS, Source.of(OBJECT));
    first.of("default").put(OTHERS, Source.of(OTHER));
    first.end();
    rot(ADDRESS);
    RunningObjects second = running();
    assertThat(second.of("acme").stat(ADDRESS)).isEmpty();
    assertThat(second.of("default").stat(ADDRESS)).isEmpty();
    assertThat(second.of("acme").missing(ADDRESS)).isInstanceOf(StorageFault.Unavailable.class);
    assertThat(second.of("default").missing(OTHERS)).isInstanceOf(StorageFault.Unavailable.class);
    assertThat(second.of("").list(null, 10)).as("the operator has all").hasSize(2);
    second.of("acme").put(ADDRESS, Source.of(OBJECT));
    assertThat(second.of("acme").stat(ADDRESS)).as("putting it again repairs it").isPresent();
    second.end();
    RunningObjects third = running();
    assertThat(third.of("acme").stat(ADDRESS)).isPresent();
    assertThat(third.of("default").stat(OTHERS)).isPresent();
    third.end();
  }

  @Test
  void aNewDirectoryGetsEveryReference() throws Exception {
    RunningObjects first = running();
    first.of("acme").put(ADDRESS, Source.of(OBJECT));
    first.end();
    for (Path path : disk.paths()) {
      if (path.startsWith("/b")) {
        disk.delete(path);
      }
    }
    RunningObjects second = running();
    Address place = new Reference("acme", ADDRESS).place();
    Rig.eventually(
        "it is there",
        () -> second.references().all().stream().allMatch(volume -> volume.store().sound(place)));
    second.end();
  }

  /** Changes a byte of the reference's text wherever it is written. */
  private void rot(Address address) throws Exception {
    byte[] text = new Reference("acme", address).bytes();
    int hits = 0;
    for (Path path : disk.paths()) {
      if (path.toString().contains("references") && path.toString().endsWith(".segment")) {
        hits += rot(path, text) ? 1 : 0;
      }
    }
    assertThat(hits).as("copies in " + disk.paths()).isEqualTo(2);
  }

  private boolean rot(Path path, byte[] text) throws Exception {
    int size = Math.toIntExact(disk.size(path));
    var bytes = java.nio.ByteBuffer.allocate(size);
    try (var file = disk.openReadOnly(path)) {
      while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
    }
    String all = new String(bytes.array(), StandardCharsets.ISO_8859_1);
    int at = all.indexOf(new String(text, StandardCharsets.ISO_8859_1));
    if (at >= 0) {
      disk.flipBit(path, at * 8L);
    }
    return at >= 0;
  }
}
