package dev.ron.storage.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.CheckResult;
import dev.ron.capability.caveat.Owner;
import java.util.Optional;

/**
 * What one tenant keeps of an object: the object's address, under the tenant's name.
 *
 * <p>It is stored as its text, {@code ~acme/b3:...}, as all things of tenants are named where they
 * are kept. The text of the tenant {@code default} is the address alone.
 *
 * <p>Threading: immutable.
 */
public record Reference(String tenant, Address address) {
  /**
   * In place of a tenant: the object is to go unless another reference keeps it. Its text is {@code
   * ~/b3:...}, which is no tenant's.
   */
  public static final String DROPPED = "";

  /** The longest text: a tenant's name has at most 64 bytes. */
  static final int TEXT_BYTES_MAX = 256;

  private static final String DROPPED_MARK = "~/";

  public static Optional<Reference> parse(String text) {
    boolean dropped = text.startsWith(DROPPED_MARK);
    String said = dropped ? text.substring(DROPPED_MARK.length()) : Owner.plain(text);
    return Address.parse(said) instanceof CheckResult.Good<Address>(Address address)
        ? Optional.of(
            new Reference(dropped ? DROPPED : String.valueOf(Owner.ofKept(text).tenant()), address))
        : Optional.empty();
  }

  /** Whether it is the mark of an object that is to go. */
  boolean isDropped() {
    return tenant.equals(DROPPED);
  }

  String text() {
    return (isDropped() ? DROPPED_MARK : new Owner(tenant).mark()) + address;
  }

  byte[] bytes() {
    return text().getBytes(UTF_8);
  }

  /** Where the text itself is stored, like any object. */
  Address place() {
    return new Address(Blake3.hash(bytes()));
  }
}
