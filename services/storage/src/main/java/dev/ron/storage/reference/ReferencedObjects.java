package dev.ron.storage.reference;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.AddressKey;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.object.Volumes;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Objects as shared bytes with one reference for each tenant that stored them.
 *
 * <p>On the disks no object is ever without a reference, unless it is {@code default}'s: a
 * reference is durable before the bytes, and goes after them. What is dropped leaves a mark first,
 * so that bytes which the last reference left are deleted also after a crash. An object can be
 * reached by its tenant when its write was acknowledged.
 *
 * <p>Threading: thread-safe; what is decided from the references of an object is decided and made
 * durable in one turn.
 */
public final class ReferencedObjects implements ObjectViews {
  private final ObjectStore objects;
  private final ReferenceRecords records;
  private final ReferenceTable table;
  private final StoredBytes bytes;
  private final AddressTurns turns;
  private final boolean publicRead;
  private final int unreadable;
  private final Watch<AddressKey> dropped;

  /** Stores an object whose reference is durable. */
  @FunctionalInterface
  interface ObjectWrite {
    /**
     * @param owned whether it was the caller's before
     */
    Written store(boolean owned) throws IOException, InterruptedException;
  }

  /**
   * Reads what is there.
   *
   * @param disks the objects that are here, with their sizes
   * @param references where they are stored
   * @param publicRead whether what belongs to {@code default} can be read by all
   */
  public ReferencedObjects(
      Scope scope,
      ObjectStore objects,
      Volumes disks,
      Volumes references,
      StoredBytes bytes,
      boolean publicRead) {
    this.objects = objects;
    this.bytes = bytes;
    this.table = new ReferenceTable(bytes);
    this.records = new ReferenceRecords(references);
    this.turns = new AddressTurns(scope.time());
    this.publicRead = publicRead;
    this.dropped = Watch.of(scope, "references-dropped", new AddressKey(0, 0, 0, 0));
    this.unreadable = records.load(table, objects);
    for (AddressKey key : table.unsized()) {
      disks.stat(key.address()).ifPresent(stat -> table.sized(key, stat.sizeBytes()));
    }
    if (unreadable > 0) {
      scope.readiness().derived("references", () -> Optional.of(trouble()));
    }
  }

  @Override
  public ObjectStore of(Owner owner) {
    String tenant = owner.tenant();
    return tenant == null ? new OperatorView(this) : new TenantView(this, tenant);
  }

  @Override
  public boolean isPublic(Address address) {
    return publicRead && reaches(Owner.DEFAULT, address);
  }

  ObjectStore objects() {
    return objects;
  }

  ReferenceTable table() {
    return table;
  }

  ReferenceRecords records() {
    return records;
  }

  Watch<AddressKey> dropped() {
    return dropped;
  }

  boolean owns(String tenant, Address address) {
    AddressKey key = AddressKey.of(address);
    // What cannot be read may be another tenant's: then only what is known opens anything.
    return unreadable > 0 ? table.acknowledged(tenant, key) : table.owns(tenant, key);
  }

  boolean reaches(String tenant, Address address) {
    return owns(tenant, address) || (publicRead && owns(Owner.DEFAULT, address));
  }

  /** The fault of what a tenant does not reach: the same whether or not another tenant has it. */
  StorageFault missing(Address address) throws InterruptedException {
    return unreadable > 0
        ? new StorageFault.Unavailable(
            "%s is not known to be yours, and %s".formatted(address, trouble()))
        : objects.missing(address);
  }

  private String trouble() {
    return "what tenants own is not known in full: %d references cannot be read"
        .formatted(unreadable);
  }

  /**
   * Stores an object for a tenant: its reference first, then the bytes.
   *
   * @throws Refusal if the tenant has no room for it
   */
  Written put(String tenant, Address address, long size, ObjectWrite storing)
      throws IOException, InterruptedException {
    try (StoredBytes.Room room = bytes.reserve(tenant, owns(tenant, address) ? 0 : size)) {
      return put(tenant, address, storing, room, size);
    }
  }

  private Written put(
      String tenant, Address address, ObjectWrite storing, StoredBytes.Room room, long size)
      throws IOException, InterruptedException {
    AddressKey key = AddressKey.of(address);
    boolean owned;
    try (AddressTurns.Turn turn = turns.take(key)) {
      if (turn == null) {
        return new Written.Refused(late(address));
      }
      owned = owns(tenant, address);
      table.writeBegan(tenant, key);
      Optional<StorageFault> fault = Optional.of(late(address));
      try {
        fault = refer(tenant, address);
      } finally {
        if (fault.isPresent()) {
          table.writeFailed(tenant, key);
        }
      }
      if (fault.isPresent()) {
        return new Written.Refused(fault.get());
      }
    }
    boolean acknowledged = false;
    try {
      Written written = storing.store(owned);
      acknowledged = written instanceof Written.Stored;
      return written;
    } finally {
      if (acknowledged) {
        table.writeEnded(tenant, key, size, room);
      } else {
        table.writeFailed(tenant, key);
      }
      wake(key);
    }
  }

  /** Makes every reference durable that must be before this tenant's bytes are there. */
  private Optional<StorageFault> refer(String tenant, Address address) throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    Set<String> stored = table.stored(key);
    if ((table.acknowledged(tenant, key) && !table.isDoubtful(tenant, key))
        || (tenant.equals(Owner.DEFAULT) && stored.isEmpty() && unreadable == 0)) {
      return Optional.empty();
    }
    boolean doubtful = table.isDoubtful(Owner.DEFAULT, key);
    if ((stored.isEmpty() || doubtful) && !tenant.equals(Owner.DEFAULT)) {
      // Asked in this order: a write that has ended by now left its bytes.
      boolean written = table.isWritten(Owner.DEFAULT, key);
      boolean defaults =
          stored.isEmpty()
              ? objects.stat(address).isPresent()
              : table.acknowledged(Owner.DEFAULT, key);
      if (doubtful || defaults || written) {
        Optional<StorageFault> fault = add(Owner.DEFAULT, address, defaults);
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return add(tenant, address, false);
  }

  private Optional<StorageFault> add(String tenant, Address address, boolean acknowledged)
      throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    // Before it is written: a write of default's that ends meanwhile finds its reference, and one
    // that fails may have reached the disk, so it counts as stored until it was dropped.
    table.stored(tenant, key, acknowledged);
    // What failed may be on its way: only a record that is written anew comes after it.
    boolean anew = table.isDoubtful(tenant, key);
    table.doubtful(tenant, key, true);
    var reference = new Reference(tenant, address);
    Optional<StorageFault> fault = anew ? records.addAnew(reference) : records.add(reference);
    if (fault.isEmpty()) {
      table.doubtful(tenant, key, false);
    }
    return fault;
  }

  private Optional<StorageFault> drop(String tenant, Address address) throws InterruptedException {
    table.doubtful(tenant, AddressKey.of(address), true);
    Optional<StorageFault> fault = records.drop(new Reference(tenant, address));
    if (fault.isEmpty()) {
      table.dropped(tenant, AddressKey.of(address));
    }
    return fault;
  }

  /** Drops a tenant's reference; takes as long whether or not it was the last. */
  Optional<StorageFault> delete(String tenant, Address address) throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    try (AddressTurns.Turn turn = turns.take(key)) {
      if (turn == null) {
        return Optional.of(late(address));
      }
      if (!owns(tenant, address)) {
        return Optional.of(missing(address));
      }
      boolean there = objects.stat(address).isPresent();
      if (!there && !table.acknowledged(tenant, key)) {
        return Optional.of(missing(address));
      }
      Optional<StorageFault> fault = add(Reference.DROPPED, address, true);
      if (fault.isPresent()) {
        return fault;
      }
      boolean plain = !table.stored(key).contains(tenant);
      table.disown(tenant, key);
      fault =
          plain
              ? records.addAnew(new Reference(Reference.DROPPED, address))
              : drop(tenant, address);
      return fault.isPresent() || there ? fault : Optional.of(missing(address));
    } finally {
      wake(key);
    }
  }

  /** Deletes an object for all tenants. */
  Optional<StorageFault> deleteForAll(Address address) throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    try (AddressTurns.Turn turn = turns.take(key)) {
      if (turn == null) {
        return Optional.of(late(address));
      }
      if (table.stored(key).isEmpty()) {
        return objects.delete(address);
      }
      if (table.isWritten(key)) {
        return Optional.of(new StorageFault.Unavailable(address + " is being written"));
      }
      if (objects.stat(address).isEmpty()) {
        return Optional.of(objects.missing(address));
      }
      Optional<StorageFault> fault = add(Reference.DROPPED, address, true);
      if (fault.isEmpty()) {
        table.stored(key).forEach(tenant -> table.disown(tenant, key));
        fault = finish(address);
      }
      return fault;
    }
  }

  /** Drops what opens nothing, and deletes the bytes that no reference keeps. */
  Optional<StorageFault> collect(Address address) throws InterruptedException {
    try (AddressTurns.Turn turn = turns.take(AddressKey.of(address))) {
      return turn == null ? Optional.of(late(address)) : finish(address);
    }
  }

  private Optional<StorageFault> finish(Address address) throws InterruptedException {
    AddressKey key = AddressKey.of(address);
    Set<String> stale = table.stale(key);
    Optional<StorageFault> fault =
        stale.isEmpty() ? Optional.empty() : add(Reference.DROPPED, address, true);
    for (String tenant : stale) {
      fault = fault.isEmpty() ? drop(tenant, address) : fault;
    }
    if (fault.isEmpty() && table.stored(key).contains(Reference.DROPPED)) {
      Set<String> left = new HashSet<>(table.stored(key));
      left.remove(Reference.DROPPED);
      fault = left.isEmpty() ? deleteBytes(address) : fault;
      fault = fault.isEmpty() ? drop(Reference.DROPPED, address) : fault;
    }
    if (fault.isEmpty()) {
      table.settled(key);
    }
    return fault;
  }

  private Optional<StorageFault> deleteBytes(Address address) throws InterruptedException {
    if (table.isWritten(AddressKey.of(address))) {
      return Optional.of(new StorageFault.Unavailable(address + " is being written"));
    }
    if (unreadable > 0) {
      return Optional.of(new StorageFault.Unavailable(trouble()));
    }
    return objects.delete(address).filter(fault -> !(fault instanceof StorageFault.NotFound));
  }

  private void wake(AddressKey key) {
    if (table.isUnsettled(key)) {
      dropped.set(key);
    }
  }

  private static StorageFault late(Address address) {
    return new StorageFault.Unavailable(address + " is being changed by other requests");
  }

  /** Copies of references that a directory lacks, or has damaged, are written from memory. */
  Optional<StorageFault> heal(AddressKey key) throws InterruptedException {
    Address address = key.address();
    try (AddressTurns.Turn turn = turns.take(key)) {
      if (turn == null) {
        return Optional.of(late(address));
      }
      for (String tenant : table.stored(key)) {
        var reference = new Reference(tenant, address);
        if (records.lacking(reference)) {
          Optional<StorageFault> fault = records.add(reference);
          if (fault.isPresent()) {
            return fault;
          }
        }
      }
      return Optional.empty();
    }
  }
}
