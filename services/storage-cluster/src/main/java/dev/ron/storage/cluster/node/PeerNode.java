package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.bao.Grain;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.SliceRange;
import dev.ron.blake3.bao.SliceVerifier;
import dev.ron.content.ContentStat;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.api.StoredObject;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.core.Presence;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.cluster.reference.ReferenceNode;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.object.ObjectStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Another node, asked over a wire and believed in nothing that can be checked here.
 *
 * <p>Threading: thread-safe.
 */
public final class PeerNode implements ClusterNode {
  private static final int RECORD_BYTES_MAX = 64 << 20;
  private static final Duration QUICK = Duration.ofSeconds(2);
  private static final Duration STAT = Duration.ofSeconds(5);
  private static final Duration SLOW = Duration.ofSeconds(30);

  private final String name;
  private final PeerClient calls;
  private final StorageMetrics metrics;
  private final PeerHealth health;
  private final PeerReferences references;

  public PeerNode(String name, PeerClient calls, Time time, StorageMetrics metrics) {
    this.name = name;
    this.calls = calls;
    this.metrics = metrics;
    this.health = new PeerHealth(time);
    this.references = new PeerReferences(name, calls, health);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ReferenceNode references() {
    return references;
  }

  @Override
  public boolean here() {
    return presence(Presence.SILENCE_MAX) == Presence.HERE;
  }

  public Presence presence(Duration grace) {
    return health.presence(grace);
  }

  @Override
  public boolean takesWrites() {
    return health.takesWrites();
  }

  /** Whether it said last that it knows that node, and so would ask it for an object. */
  public boolean knows(String node) {
    return node.equals(name) || health.knows(node);
  }

  /** How much of a repair rate its readers leave, 0 to 1; 1 if it was not asked lately. */
  public double paceShare() {
    return health.paceShare();
  }

  public String url() {
    return calls.base();
  }

  /** Whether it answers at this moment. */
  public boolean answers() throws InterruptedException {
    greet();
    return here();
  }

  /** Asks how it is. */
  public void greet() throws InterruptedException {
    try {
      PeerMessages.Status now =
          calls.json("GET", "/peer/status", null, QUICK, PeerMessages.Status.class);
      if (!now.node().equals(name)) {
        throw new IOException("%s answers as %s".formatted(calls.base(), now.node()));
      }
      health.said(now);
    } catch (IOException e) {
      health.silent();
    }
  }

  @Override
  public ObjectStore.Written put(
      Kind kind, @Nullable Address expected, Origin origin, ObjectStore.Source source)
      throws IOException, InterruptedException {
    String path =
        "/peer/%s%s?write=%s"
            .formatted(kind.word(), expected == null ? "" : "/" + expected, origin.write());
    if (origin.object() != null) {
      path += "&object=%s&shard=%d".formatted(origin.object(), origin.shard());
    }
    if (origin.anew()) {
      path += "&anew=true";
    }
    String method = expected == null ? "POST" : "PUT";
    try (InputStream in = source.open()) {
      PeerMessages.Stored stored =
          calls.upload(method, path, in, source.sizeBytes(), PeerMessages.Stored.class);
      Address address = PeerClient.address(stored.address());
      if (expected != null && !expected.equals(address)) {
        throw new IOException("%s stored %s as %s".formatted(name, expected, address));
      }
      return new ObjectStore.Written.Stored(address, stored.size(), stored.fresh());
    } catch (PeerClient.RefusedException refused) {
      return refused.written();
    } catch (IOException e) {
      throw health.failed(e);
    }
  }

  @Override
  public void takeBack(Kind kind, Address address, String write)
      throws IOException, InterruptedException {
    calls.post(
        "/peer/back", new PeerMessages.TakeBack(kind.word(), address.toString(), write), QUICK);
  }

  @Override
  public Optional<Known> stat(Address address) throws IOException, InterruptedException {
    try {
      PeerMessages.Known known =
          ask("GET", "/peer/stat/" + address, null, STAT, PeerMessages.Known.class);
      return Optional.of(new Known(new ContentStat(address, known.size()), known.coded()));
    } catch (PeerClient.RefusedException refused) {
      return absent(refused);
    } catch (IOException e) {
      throw health.failed(e);
    }
  }

  private static <T> Optional<T> absent(PeerClient.RefusedException refused)
      throws PeerClient.RefusedException {
    if (refused.status() == 404) {
      return Optional.empty();
    }
    throw refused;
  }

  @Override
  public Optional<byte[]> read(Kind kind, ContentStat stat, long from, int length, Purpose purpose)
      throws IOException, InterruptedException {
    long wanted = Math.min(length, stat.sizeBytes() - from);
    String path =
        "/peer/%s/%s?from=%d&length=%d%s"
            .formatted(
                kind.word(),
                stat.address(),
                from,
                wanted,
                purpose == Purpose.REPAIR ? "&" + PeerMessages.FOR_REPAIR : "");
    try (PeerWire.Reply answer = calls.get(path, SLOW)) {
      health.leaves(answer.header(PeerMessages.PACE_SHARE));
      var range = new SliceRange(from, wanted);
      var bytes = new ByteArrayOutputStream((int) wanted);
      CheckResult<SliceVerifier.Proof> proof =
          SliceVerifier.verifyKnownLength(
              stat.address().hash(), range, Grain.GROUP, stat.sizeBytes(), answer.body(), bytes);
      if (proof instanceof CheckResult.Bad<SliceVerifier.Proof>(var fault)) {
        metrics.integrityFailures().labelValues("peer").inc();
        throw new PeerClient.RefusedException(
            502, "%s sent what is not %s: %s".formatted(name, stat.address(), fault.code()));
      }
      return Optional.of(bytes.toByteArray());
    } catch (PeerClient.RefusedException refused) {
      return absent(refused);
    } catch (IOException e) {
      throw health.failed(e);
    }
  }

  @Override
  public Optional<Outboard> tree(ContentStat stat) throws IOException, InterruptedException {
    String path = "/peer/tree/" + stat.address();
    try (PeerWire.Reply answer = calls.again(SLOW, () -> calls.get(path, SLOW))) {
      byte[] stored = answer.collect(RECORD_BYTES_MAX);
      return Outboard.open(stat.address().hash(), stat.sizeBytes(), stored)
              instanceof CheckResult.Good<Outboard>(Outboard good)
          ? Optional.of(good)
          : Optional.empty();
    } catch (PeerClient.RefusedException refused) {
      return absent(refused);
    }
  }

  @Override
  public Optional<CodedObject> coded(Address address) throws IOException, InterruptedException {
    String path = "/peer/coded/" + address;
    try (PeerWire.Reply answer = calls.again(SLOW, () -> calls.get(path, SLOW))) {
      return CodedObject.decoded(answer.collect(RECORD_BYTES_MAX))
          .filter(object -> object.address().equals(address));
    } catch (PeerClient.RefusedException refused) {
      return absent(refused);
    }
  }

  @Override
  public boolean delete(Address address, @Nullable String seal)
      throws IOException, InterruptedException {
    String path = "/peer/o/" + address + (seal == null ? "" : "?seal=" + seal);
    try (PeerWire.Reply _ = calls.delete(path, SLOW)) {
      return true;
    } catch (PeerClient.RefusedException refused) {
      return absent(refused).isPresent();
    }
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max)
      throws IOException, InterruptedException {
    String path = "/peer/o?limit=" + max + (after == null ? "" : "&after=" + after);
    var found = new java.util.ArrayList<ContentStat>();
    for (StoredObject each : ask("GET", path, null, SLOW, PeerMessages.Page.class).objects()) {
      found.add(new ContentStat(PeerClient.address(each.address()), each.size()));
    }
    return found;
  }

  @Override
  public List<RangeDigests.Part> parts(Shared shared, String range)
      throws IOException, InterruptedException {
    return ask("POST", "/peer/parts", question(shared, range), SLOW, PeerMessages.Parts.class)
        .parts();
  }

  @Override
  public List<Inventory.Listed> objects(Shared shared, String range)
      throws IOException, InterruptedException {
    var listed = new java.util.ArrayList<Inventory.Listed>();
    for (StoredObject each :
        ask("POST", "/peer/objects", question(shared, range), SLOW, PeerMessages.Objects.class)
            .objects()) {
      listed.add(new Inventory.Listed(PeerClient.address(each.address()), each.size()));
    }
    return listed;
  }

  private <T> T ask(
      String method, String path, @Nullable Object body, Duration limit, Class<T> type)
      throws IOException, InterruptedException {
    return calls.again(limit, () -> calls.json(method, path, body, limit, type));
  }

  private static PeerMessages.Question question(Shared shared, String range) {
    return PeerMessages.Question.of(
        shared.kind().word(), shared.view(), shared.shards(), shared.with(), range);
  }

  @Override
  public boolean sound(Kind kind, ContentStat stat) throws IOException, InterruptedException {
    String path = "/peer/sound/%s/%s".formatted(kind.word(), stat.address());
    try (PeerWire.Reply _ = calls.get(path, SLOW.plus(PeerClient.putLimit(stat.sizeBytes())))) {
      return true;
    } catch (PeerClient.RefusedException refused) {
      return absent(refused).isPresent();
    }
  }

  @Override
  public Set<Address> promise(Kind kind, List<Address> addresses)
      throws IOException, InterruptedException {
    return addresses("/peer/promise", kind, addresses);
  }

  @Override
  public Set<Address> have(Kind kind, List<Address> addresses)
      throws IOException, InterruptedException {
    return addresses("/peer/have", kind, addresses);
  }

  private Set<Address> addresses(String path, Kind kind, List<Address> asked)
      throws IOException, InterruptedException {
    var question =
        new PeerMessages.Addresses(kind.word(), asked.stream().map(Address::toString).toList());
    var found = new HashSet<Address>();
    for (String each :
        calls.json("POST", path, question, SLOW, PeerMessages.Addresses.class).addresses()) {
      found.add(PeerClient.address(each));
    }
    return found;
  }

  @Override
  public void offer(Address address, long sizeBytes, boolean urgent)
      throws IOException, InterruptedException {
    calls.post("/peer/offer", new PeerMessages.Offer(address.toString(), sizeBytes, urgent), QUICK);
  }
}
