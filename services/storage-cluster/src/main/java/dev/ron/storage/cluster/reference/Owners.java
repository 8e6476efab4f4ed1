package dev.ron.storage.cluster.reference;

import dev.ron.capability.caveat.Owner;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The references to one object: which tenants have it, and which are about to.
 *
 * <p>An object of which nothing was ever recorded is {@code default}'s, as on one machine. One
 * whose last reference was dropped stays recorded without any: so it is no tenant's, also where a
 * machine that was away brings its bytes back.
 *
 * <p>Threading: immutable.
 *
 * @param sizeBytes of the object; -1 where nothing was recorded
 * @param tenants each with the write that is going to make its reference good, or with none where
 *     that was acknowledged
 * @param collected whether the bytes were deleted after the last reference
 */
public record Owners(long sizeBytes, Map<String, String> tenants, boolean collected) {
  /** Nothing was ever recorded. */
  static final Owners ABSENT = new Owners(-1, Map.of(), false);

  /** An object with more would not fit into one message. */
  static final int TENANTS_MAX = 512;

  /** In place of a write: the reference was acknowledged. */
  private static final String GOOD = "";

  public Owners {
    tenants = Collections.unmodifiableMap(new TreeMap<>(tenants));
  }

  static Owners of(long sizeBytes, Iterable<String> tenants) {
    var good = new TreeMap<String, String>();
    tenants.forEach(tenant -> good.put(tenant, GOOD));
    return new Owners(sizeBytes, good, false);
  }

  boolean isAbsent() {
    return sizeBytes < 0;
  }

  /** Whether the tenant reaches the object, if its bytes are there. */
  boolean owns(String tenant) {
    return isAbsent() ? tenant.equals(Owner.DEFAULT) : GOOD.equals(tenants.get(tenant));
  }

  /** Whether bytes are left behind that no reference keeps. */
  boolean isCollectable() {
    return !isAbsent() && tenants.isEmpty() && !collected;
  }

  boolean isWrittenBy(String tenant, String write) {
    return write.equals(tenants.get(tenant));
  }

  /** The write by which a tenant's reference is kept or was made good; empty if it has none. */
  Optional<String> write(String tenant) {
    return Optional.ofNullable(tenants.get(tenant));
  }

  /** The writes that have not ended, each with its tenant. */
  Map<String, String> writes() {
    var open = new TreeMap<>(tenants);
    open.values().removeIf(GOOD::equals);
    return open;
  }

  boolean isFull() {
    return tenants.size() >= TENANTS_MAX;
  }

  /**
   * A tenant is about to store it. Its reference opens nothing yet, and keeps the bytes already.
   *
   * @param there whether bytes were there; they are {@code default}'s if nothing was recorded
   */
  Owners begun(String tenant, String write, long size, boolean there) {
    if (!isAbsent() && owns(tenant)) {
      return this;
    }
    var next = new TreeMap<>(tenants);
    if (isAbsent() && there) {
      next.put(Owner.DEFAULT, GOOD);
    }
    next.putIfAbsent(tenant, write);
    next.computeIfPresent(tenant, (_, now) -> now.equals(GOOD) ? GOOD : write);
    return new Owners(size, next, false);
  }

  /** The bytes are durable: the reference opens them. */
  Owners acknowledged(String tenant, String write) {
    return isWrittenBy(tenant, write) ? with(tenant, GOOD) : this;
  }

  /** A write came to nothing. */
  Owners withdrawn(String tenant, String write) {
    return isWrittenBy(tenant, write) ? without(tenant) : this;
  }

  Owners dropped(String tenant) {
    return owns(tenant) ? without(tenant) : this;
  }

  /** No tenant's any more. */
  Owners cleared() {
    return new Owners(Math.max(0, sizeBytes), Map.of(), collected);
  }

  /** The bytes are gone; or, if not, they are back and have to go again. */
  Owners collected(boolean gone) {
    return tenants.isEmpty() && !isAbsent() ? new Owners(sizeBytes, tenants, gone) : this;
  }

  /** What two machines had before they were one storage. */
  Owners together(Owners other) {
    var all = new TreeMap<>(other.tenants);
    all.putAll(tenants);
    return new Owners(Math.max(sizeBytes, other.sizeBytes), all, false);
  }

  private Owners with(String tenant, String write) {
    var next = new TreeMap<>(tenants);
    next.put(tenant, write);
    return new Owners(sizeBytes, next, false);
  }

  private Owners without(String tenant) {
    var next = new TreeMap<>(tenants);
    next.remove(tenant);
    return new Owners(Math.max(0, sizeBytes), next, false);
  }
}
