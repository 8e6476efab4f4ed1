package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentStat;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.node.Fanout;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Source;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.reference.ObjectViews;
import dev.ron.storage.reference.StoredBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects on several machines as shared bytes with one reference for each tenant that stored them.
 *
 * <p>A reference is decided by a majority of the machines before the bytes are stored, opens
 * nothing until they are, and is decided again when they are. Bytes are deleted when no reference
 * is left and all machines have sealed them.
 *
 * <p>Threading: thread-safe; the writes under way are a concurrent set.
 */
public final class ClusterReferences implements ObjectViews {
  /** So many writes of one tenant that overtake each other are no accident. */
  private static final int TAKEN_OVER_MAX = 8;

  /** Together a second and more: a delete of which the disks are not slow takes less. */
  private static final int SEALS_MAX = 6;

  private static final long SEAL_REST_MILLIS = 100;

  private final SharedBytes bytes;
  private final LocalReferences local;
  private final ReferenceGroup group;
  private final StoredBytes stored;
  private final ReferenceQuorum quorum;
  private final Fanout fanout;
  private final Scope scope;
  private final boolean publicRead;
  private final Watch<Long> dropped;

  /** Writes of this machine that have not ended; none of before its start has. */
  private final Set<String> writes = ConcurrentHashMap.newKeySet();

  /**
   * @param publicRead whether what belongs to {@code default} can be read by all
   */
  public ClusterReferences(
      Scope scope,
      SharedBytes bytes,
      LocalReferences local,
      ReferenceGroup group,
      StoredBytes stored,
      boolean publicRead) {
    this.scope = scope;
    this.bytes = bytes;
    this.local = local;
    this.group = group;
    this.stored = stored;
    this.quorum = new ReferenceQuorum(local.name(), group, scope);
    this.fanout = new Fanout(scope.world().threads(), scope.time(), Fanout.LIMIT);
    this.publicRead = publicRead;
    this.dropped = Watch.of(scope, "references-dropped", 0L);
  }

  @Override
  public ObjectStore of(Owner owner) {
    String tenant = owner.tenant();
    return tenant == null ? new ClusterOperatorView(this) : new ClusterTenantView(this, tenant);
  }

  @Override
  public boolean isPublic(Address address) {
    try {
      ReferenceQuorum.Decision now = quorum.read(address);
      return publicRead && now.fault() == null && now.after().owns(Owner.DEFAULT);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The task that copies to this machine what the others recorded. */
  public Task sync(Scope tasks) {
    return new ReferenceSync(tasks, local, group);
  }

  SharedBytes bytes() {
    return bytes;
  }

  LocalReferences local() {
    return local;
  }

  ReferenceGroup group() {
    return group;
  }

  ReferenceQuorum quorum() {
    return quorum;
  }

  Watch<Long> dropped() {
    return dropped;
  }

  boolean isUnderWay(String write) {
    return writes.contains(write);
  }

  /** Whether these owners let a tenant read it. */
  boolean reaches(Owners owners, String tenant) {
    return owners.owns(tenant) || (publicRead && owners.owns(Owner.DEFAULT));
  }

  /**
   * An object that a tenant reaches. Of one that it does not, nothing is told by the time: where
   * what is recorded nowhere would be looked for, so is what is another's.
   */
  Optional<ContentStat> stat(String tenant, Address address) throws InterruptedException {
    ReferenceQuorum.Decision now = quorum.read(address);
    if (now.fault() != null) {
      return Optional.empty();
    }
    if (!reaches(now.after(), tenant)) {
      if (reaches(Owners.ABSENT, tenant)) {
        bytes.seek(address);
      }
      return Optional.empty();
    }
    Optional<ContentStat> found = bytes.stat(address);
    if (found.isEmpty() || !now.after().isAbsent()) {
      return found;
    }
    // The bytes may be a tenant's that has just stored them; then that is recorded by now.
    ReferenceQuorum.Decision later = quorum.read(address);
    return found.filter(_ -> later.fault() == null && reaches(later.after(), tenant));
  }

  /** The fault of what a tenant does not reach: the same whether or not another tenant has it. */
  StorageFault missing(String tenant, Address address) throws InterruptedException {
    ReferenceQuorum.Decision now = quorum.read(address);
    if (now.fault() != null) {
      return now.fault();
    }
    if (reaches(now.after(), tenant)) {
      return bytes.missing(address);
    }
    return reaches(Owners.ABSENT, tenant)
        ? bytes.absent(address)
        : new StorageFault.NotFound(address);
  }

  /**
   * Stores an object for a tenant other than {@code default}.
   *
   * @throws Refusal if the tenant has no room for it
   */
  Written put(String tenant, Address address, Source source)
      throws IOException, InterruptedException {
    ReferenceQuorum.Decision now = quorum.read(address);
    if (now.fault() != null) {
      return new Written.Refused(now.fault());
    }
    if (!now.after().isAbsent() && now.after().owns(tenant)) {
      Written written = bytes.put(address, source);
      // What was read may be a change that came to nothing; only what is settled is acknowledged.
      now =
          written instanceof Written.Stored
              ? quorum.settle(address, ReferenceQuorum.Next::of)
              : now;
      if (now.fault() != null) {
        return new Written.Refused(now.fault());
      }
      if (now.after().owns(tenant)) {
        return written;
      }
      // It was dropped meanwhile, and the bytes may be gone already.
    }
    // What is decided is counted here when it is accepted here; until then there is room for it.
    try (StoredBytes.Room _ = stored.reserve(tenant, source.sizeBytes())) {
      return refer(tenant, address, source);
    }
  }

  /** What {@code default} stores needs no reference, as long as no other tenant has it. */
  Written putDefault(Address address, Source source) throws IOException, InterruptedException {
    return kept(address, bytes.put(address, source), source);
  }

  /**
   * Bytes are there that may need a reference of {@code default}'s.
   *
   * @param source the bytes again
   */
  Written kept(Address address, Written written, Source source)
      throws IOException, InterruptedException {
    if (!(written instanceof Written.Stored)) {
      return written;
    }
    // A tenant's write that is decided later finds the bytes, and default's reference with them.
    // One that a machine which is away has accepted may have found none: then the reference is
    // decided.
    ReferenceQuorum.Decision now =
        quorum.settle(
            address,
            owners ->
                ReferenceQuorum.Next.of(
                    owners.isAbsent()
                        ? Owners.of(source.sizeBytes(), List.of(Owner.DEFAULT))
                        : owners));
    if (now.fault() != null) {
      return new Written.Refused(now.fault());
    }
    return now.after().owns(Owner.DEFAULT) ? written : refer(Owner.DEFAULT, address, source);
  }

  /** The reference first, then the bytes, then it is good. */
  private Written refer(String tenant, Address address, Source source)
      throws IOException, InterruptedException {
    String write = name();
    writes.add(write);
    boolean good = false;
    try {
      ReferenceQuorum.Decision begun =
          quorum.change(address, now -> begun(now, tenant, write, address, source.sizeBytes()));
      if (begun.fault() != null) {
        return new Written.Refused(begun.fault());
      }
      Written written = underReference(tenant, address, source, begun.after());
      good = written instanceof Written.Stored;
      return written;
    } finally {
      writes.remove(write);
      if (!good) {
        wake();
      }
    }
  }

  /**
   * Stores bytes that a reference keeps, and makes it good. A later write of the tenant's may have
   * taken it over by then: it keeps the bytes as well, and any write that stores them makes it
   * good.
   */
  private Written underReference(String tenant, Address address, Source source, Owners begun)
      throws IOException, InterruptedException {
    Optional<String> write = begun.write(tenant);
    for (int tries = 0; write.isPresent() && tries < TAKEN_OVER_MAX; tries++) {
      String current = write.get();
      Written written = bytes.putAnew(address, source);
      if (!(written instanceof Written.Stored)) {
        return written;
      }
      ReferenceQuorum.Decision ended =
          quorum.change(address, now -> ReferenceQuorum.Next.of(now.acknowledged(tenant, current)));
      if (ended.fault() != null) {
        return new Written.Refused(ended.fault());
      }
      if (ended.after().owns(tenant)) {
        return new Written.Stored(address, source.sizeBytes(), true);
      }
      write = ended.after().write(tenant);
    }
    return new Written.Refused(
        new StorageFault.Unavailable(address + " was deleted meanwhile; send it again"));
  }

  private ReferenceQuorum.Next begun(
      Owners now, String tenant, String write, Address address, long size)
      throws InterruptedException {
    // Asked also where the answer is of no use: it takes as long.
    Optional<Boolean> there = bytes.isThere(address);
    if (there.isEmpty()) {
      return ReferenceQuorum.Next.refused(
          new StorageFault.Unavailable(
              "too many machines are away to know whether %s is there".formatted(address)));
    }
    return now.isFull()
        ? ReferenceQuorum.Next.refused(
            new StorageFault.Unavailable(address + " has as many references as an object can have"))
        : ReferenceQuorum.Next.of(now.begun(tenant, write, size, there.get()));
  }

  /** Drops a tenant's reference; the bytes go later, whether or not it was the last. */
  Optional<StorageFault> delete(String tenant, Address address) throws InterruptedException {
    ReferenceQuorum.Answer read = quorum.read(List.of(address));
    if (read.fault() != null) {
      return Optional.of(read.fault());
    }
    Owners seen = read.of(address);
    boolean there = false;
    if (seen.owns(tenant)) {
      there = bytes.stat(address).isPresent();
    } else if (Owners.ABSENT.owns(tenant)) {
      bytes.seek(address);
    }
    // A change of this tenant's that was never decided may come up again, as long as some machine
    // has another record or a write is open: that it has nothing is decided before it is told.
    boolean gone = seen.write(tenant).isEmpty() && read.isAgreed(address);
    if (seen.isAbsent() ? !there : gone) {
      return Optional.of(missing(tenant, address));
    }
    ReferenceQuorum.Decision now =
        quorum.change(address, owners -> ReferenceQuorum.Next.of(owners.dropped(tenant)));
    if (now.fault() != null) {
      return Optional.of(now.fault());
    }
    wake();
    return now.before().owns(tenant) && there
        ? Optional.empty()
        : Optional.of(missing(tenant, address));
  }

  /** Deletes an object for all tenants. */
  Optional<StorageFault> deleteForAll(Address address) throws InterruptedException {
    ReferenceQuorum.Decision now = quorum.read(address);
    if (now.fault() != null) {
      return Optional.of(now.fault());
    }
    if (bytes.stat(address).isEmpty()) {
      return Optional.of(bytes.missing(address));
    }
    List<String> away = group.now().away();
    if (!away.isEmpty()) {
      return Optional.of(undone(away));
    }
    // Decided also where nothing is recorded: bytes that go from some machines only, and shards
    // that
    // are too few then, are collected later by what is recorded, and by nothing else.
    now = quorum.change(address, owners -> ReferenceQuorum.Next.of(owners.cleared()));
    if (now.fault() != null) {
      return Optional.of(now.fault());
    }
    Optional<StorageFault> fault = collect(address, true);
    if (fault.isPresent()) {
      wake();
    }
    return fault;
  }

  private static StorageFault undone(List<String> away) {
    return new StorageFault.Unavailable(
        "a delete would be undone by copies on nodes that do not answer: " + away);
  }

  /**
   * Deletes the bytes that no reference keeps.
   *
   * @param plain also those of which nothing is recorded, which are {@code default}'s
   */
  Optional<StorageFault> collect(Address address, boolean plain) throws InterruptedException {
    ReferenceGroup.Roster all = group.now();
    if (!all.away().isEmpty()) {
      return Optional.of(undone(all.away()));
    }
    String seal = name();
    Owners now;
    Optional<StorageFault> fault;
    try {
      fault = seal(all.here(), address, seal);
      // What is deleted for all may be collected at this moment, which ends soon.
      for (int tries = 1; plain && fault.isPresent() && tries < SEALS_MAX; tries++) {
        lift(all.here(), address, seal);
        scope.time().sleepUntil(scope.time().now().plusMillis(tries * SEAL_REST_MILLIS));
        fault = seal(all.here(), address, seal);
      }
      if (fault.isPresent()) {
        return fault;
      }
      ReferenceQuorum.Decision read = quorum.read(address);
      if (read.fault() != null) {
        return Optional.of(read.fault());
      }
      now = read.after();
      boolean wanted = now.isAbsent() ? plain : now.tenants().isEmpty();
      if (!wanted) {
        return plain
            ? Optional.of(new StorageFault.Unavailable(address + " is being written"))
            : Optional.empty();
      }
      fault = bytes.delete(address, seal);
    } finally {
      lift(all.here(), address, seal);
    }
    if (now.isAbsent()) {
      return fault;
    }
    fault = fault.filter(each -> !(each instanceof StorageFault.NotFound));
    return fault.isPresent()
        ? fault
        : Optional.ofNullable(
            quorum
                .change(address, owners -> ReferenceQuorum.Next.of(owners.collected(true)))
                .fault());
  }

  /** Why not all have it; empty if they do. */
  private Optional<StorageFault> seal(List<ReferenceNode> nodes, Address address, String seal)
      throws InterruptedException {
    for (var answer : fanout.ask(nodes, node -> node.seal(address, seal))) {
      if (!Boolean.TRUE.equals(answer.value())) {
        return Optional.of(
            new StorageFault.Unavailable(
                "%s is being deleted, or not sealed by %s"
                    .formatted(address, answer.node().name())));
      }
    }
    return Optional.empty();
  }

  /** One that is not reached lets go of its seal by itself, after a while. */
  private void lift(List<ReferenceNode> nodes, Address address, String seal)
      throws InterruptedException {
    fanout.ask(
        nodes,
        node -> {
          node.lift(address, seal);
          return true;
        });
  }

  /** Objects of a tenant, in the order of addresses. */
  Listing list(String tenant, @Nullable Address after, int max) throws InterruptedException {
    ReferenceGroup.Roster now = group.now();
    int enough = Proposal.readers(now.size());
    var found = new ArrayList<Address>();
    int level = 0;
    for (var answer : fanout.ask(now.here(), node -> node.named(tenant, after, max))) {
      ReferenceNode.Names names = answer.value();
      if (names != null && names.level()) {
        level++;
        found.addAll(names.addresses());
      }
    }
    if (level < enough) {
      return new Listing(
          List.of(),
          null,
          new StorageFault.Unavailable(
              "whose objects are is known by %d of %d machines, and %d are needed"
                  .formatted(level, now.size(), enough)));
    }
    List<Address> page =
        found.stream()
            .distinct()
            .sorted(java.util.Comparator.comparing(Address::toString))
            .limit(max)
            .toList();
    ReferenceQuorum.Answer owners = quorum.read(page);
    var own = new ArrayList<ContentStat>();
    for (Address address : page) {
      Owners each = owners.of(address);
      if (!each.isAbsent() && each.owns(tenant)) {
        own.add(new ContentStat(address, each.sizeBytes()));
      }
    }
    return new Listing(own, page.isEmpty() ? null : page.getLast(), owners.fault());
  }

  /**
   * A page of what a tenant has.
   *
   * @param last the last that was looked at; null if there was none
   */
  record Listing(List<ContentStat> objects, @Nullable Address last, @Nullable StorageFault fault) {}

  /** Something may be left to be dropped or to be deleted. */
  private void wake() {
    dropped.set(scope.secrets().nextLong());
  }

  private String name() {
    return "%s-%016x".formatted(local.name(), scope.secrets().nextLong());
  }
}
