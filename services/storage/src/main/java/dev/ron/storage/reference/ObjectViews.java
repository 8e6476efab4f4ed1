package dev.ron.storage.reference;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.storage.object.ObjectStore;

/**
 * The objects as each caller reaches them.
 *
 * <p>Threading: thread-safe.
 */
public interface ObjectViews {
  /** What a storage that keeps no references says to a tenant. */
  HttpFault OPERATOR_ONLY =
      new HttpFault.Forbidden(
          "objects have no owners here, so no capability with a tenant is taken; use one without");

  /** What a caller reaches, and what becomes its own when it stores something. */
  ObjectStore of(Owner owner) throws Refusal;

  /** Whether a caller without a capability may read it, if it is there. */
  boolean isPublic(Address address);

  /** Objects that have no owners: the operator's, and closed to tenants. */
  static ObjectViews operatorOnly(ObjectStore objects, boolean publicRead) {
    return new ObjectViews() {
      @Override
      public ObjectStore of(Owner owner) throws Refusal {
        if (!owner.isOperator()) {
          throw Refusal.of(OPERATOR_ONLY);
        }
        return objects;
      }

      @Override
      public boolean isPublic(Address address) {
        return publicRead;
      }
    };
  }
}
