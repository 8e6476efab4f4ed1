package dev.ron.capability;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The tokens that were withdrawn, by id: a token and all that was attenuated from it go together.
 *
 * <p>Threading: immutable.
 */
public final class Revocations {
  /** An operator that withdraws more should rotate the key instead. */
  public static final int TOKENS_MAX = 100_000;

  /** Nothing is withdrawn. */
  public static final Revocations NONE = new Revocations(Set.of());

  private final Set<TokenId> ids;

  /** Copies the ids. */
  public Revocations(Collection<TokenId> ids) {
    if (ids.size() > TOKENS_MAX) {
      throw new IllegalArgumentException(
          "more than %d revocations: rotate the key with a short grace".formatted(TOKENS_MAX));
    }
    this.ids = Set.copyOf(ids);
  }

  /** These and one more. */
  public Revocations with(TokenId id) {
    var more = new HashSet<>(ids);
    more.add(id);
    return new Revocations(more);
  }

  /** These and those. */
  public Revocations and(Revocations others) {
    var all = new HashSet<>(ids);
    all.addAll(others.ids);
    return new Revocations(all);
  }

  /** Whether all of those were withdrawn here too. */
  public boolean containsAll(Revocations others) {
    return ids.containsAll(others.ids);
  }

  /** Whether the token was withdrawn. */
  public boolean contains(TokenId id) {
    return ids.contains(id);
  }

  /** How many were withdrawn. */
  public int size() {
    return ids.size();
  }

  @Override
  public String toString() {
    return "Revocations[" + ids.size() + "]";
  }
}
