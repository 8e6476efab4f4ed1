package dev.ron.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.SteppedTree;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Usage in virtual time on a disk that fails.
 *
 * <p>Threading: owned by the test.
 */
final class UsageRig implements SealStore {
  static final Path DATA = Path.of("/data");

  final VirtualTime time = new VirtualTime();
  final RandomGenerator random;
  final FaultyDisk disk;
  final Map<Address, byte[]> stored = new HashMap<>();
  final SealSigner signer = new TestSigner();
  Duration sealEvery = Duration.ofHours(1);
  boolean storeDown;
  Scope scope;
  Usage usage;
  SteppedTree tree;

  UsageRig(long seed) {
    random = new SplittableRandom(seed);
    disk = new FaultyDisk(time, random);
  }

  /** An Ed25519 key of its own. */
  static final class TestSigner implements SealSigner {
    private final KeyPair pair = SignatureKind.ED25519.generate();

    @Override
    public List<Map<String, String>> sign(byte[] message) {
      byte[] signature = SignatureKind.ED25519.sign(pair.getPrivate(), message);
      return List.of(
          Map.of(
              "alg",
              "ed25519",
              "key",
              publicKeys().getFirst(),
              "sig",
              Base64.getEncoder().encodeToString(signature)));
    }

    @Override
    public List<String> publicKeys() {
      return List.of(SignatureKind.text(pair.getPublic()));
    }
  }

  Scope scope() {
    return Scope.of("node", World.seeded(time, random, disk, Threads.virtual(), Log.silent()));
  }

  UsageRig start() throws Exception {
    scope = scope();
    usage = Usage.open(scope, DATA);
    Supervisor all =
        usage.into(
            Supervisor.named("node").drainWithin(Duration.ofSeconds(3)),
            signer,
            this,
            () -> sealEvery);
    tree = SteppedTree.start(all, scope, time, random);
    tree.settle();
    return this;
  }

  @Override
  public void put(byte[] object) throws IOException {
    if (storeDown) {
      throw new IOException("the storage is down");
    }
    stored.put(new Address(Blake3.hash(object)), object.clone());
  }

  @Override
  public Optional<byte[]> get(Address address) {
    return storeDown
        ? Optional.empty()
        : Optional.ofNullable(stored.get(address)).map(byte[]::clone);
  }

  /** The process dies and the disk keeps what it must; another begins. */
  void crash() throws Exception {
    disk.crash();
    start();
  }

  /** All units that a fresh process finds, sealed or not. */
  SortedMap<UsageKey, Long> recovered() throws IOException {
    Path folder = Usage.folder(DATA);
    UsageFolder files = UsageFolder.open(disk, folder.resolve("spans"));
    UsageLog log =
        UsageLog.recover(
            FileJournal.open(
                scope(),
                JournalSettings.in(folder.resolve("journal"))
                    .named("usage")
                    .sized(16 << 20, 4 << 20, 2 << 20, 1 << 20)),
            files);
    var sums = new TreeMap<UsageKey, Long>();
    for (long number : files.spans()) {
      files.span(number).units().forEach((key, units) -> sums.merge(key, units, Long::sum));
    }
    log.state()
        .closed()
        .ifPresent(span -> span.units().forEach((key, units) -> sums.merge(key, units, Long::sum)));
    log.state()
        .open(time.wall())
        .units()
        .forEach((key, units) -> sums.merge(key, units, Long::sum));
    return sums;
  }

  /** Every seal checked against what the storage has. */
  SealChain checked() throws Exception {
    var chain = new SealChain(address -> Optional.ofNullable(stored.get(address)));
    for (long number : usage.files().seals()) {
      chain.next(usage.files().seal(number));
    }
    return chain;
  }
}
