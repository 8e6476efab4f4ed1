package dev.ron.storage.s3.core;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.core.ObjectVersion.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of an object's bytes as a field: their BLAKE3, as the storage's other door has it.
 *
 * <p>That of an object in one block is the block's, and that of a small one is computed. One in
 * several blocks keeps it among its fields. Objects in parts have none, for a part's place in the
 * object is not known when it comes; nor do encrypted ones, for it would tell what they are.
 *
 * <p>Threading: stateless.
 */
public final class ObjectAddress {
  private static final String FIELD = "Ron-Address";

  private ObjectAddress() {}

  /** The address, kept or not. */
  public static Optional<Pair> of(ObjectVersion version) {
    return kept(version.fields()).or(() -> derived(version));
  }

  /** The address of a version that does not keep it. */
  public static Optional<Pair> derived(ObjectVersion version) {
    if (version.encryption() != null) {
      return Optional.empty();
    }
    return switch (version.content()) {
      case ObjectContent.Inline inline -> Optional.of(field(inline.address()));
      // Of what was copied from parts an extent may be a piece of its block.
      case ObjectContent.Blocks(List<Extent> extents)
          when extents.size() == 1 && version.etag().parts() == 0 ->
          Optional.of(field(extents.getFirst().block()));
      case ObjectContent.Blocks _, ObjectContent.Parts _ -> Optional.empty();
    };
  }

  /** Fields with this address, if it must be kept. */
  public static List<Pair> with(List<Pair> fields, @Nullable Address address) {
    return address == null ? fields : with(fields, field(address));
  }

  /** Fields of a copy that shares the bytes of its source. */
  public static List<Pair> shared(List<Pair> fields, ObjectVersion source) {
    return kept(source.fields()).map(field -> with(fields, field)).orElse(fields);
  }

  public static boolean isAddress(Pair field) {
    return field.name().equals(FIELD);
  }

  private static Pair field(Address address) {
    return new Pair(FIELD, address.toString());
  }

  private static List<Pair> with(List<Pair> fields, Pair field) {
    var all = new ArrayList<Pair>(fields);
    all.add(field);
    return all;
  }

  private static Optional<Pair> kept(List<Pair> fields) {
    return fields.stream().filter(ObjectAddress::isAddress).findFirst();
  }
}
