package dev.ron.checks;

import java.util.Set;
import java.util.TreeSet;

/**
 * The locks that may be held at one point of the code.
 *
 * <p>"May": where two ways meet, a lock held on either counts. A point that cannot be reached holds
 * nothing, and a lock taken there is not held either.
 *
 * <p>Threading: immutable.
 */
record Held(boolean reachable, Set<String> locks) {
  static final Held NOTHING = new Held(true, Set.of());
  static final Held UNREACHABLE = new Held(false, Set.of());

  Held plus(String lock) {
    if (!reachable || locks.contains(lock)) {
      return this;
    }
    var more = new TreeSet<>(locks);
    more.add(lock);
    return new Held(true, more);
  }

  Held minus(String lock) {
    if (!locks.contains(lock)) {
      return this;
    }
    var fewer = new TreeSet<>(locks);
    fewer.remove(lock);
    return new Held(true, fewer);
  }

  Held or(Held other) {
    if (!reachable) {
      return other;
    }
    Held both = this;
    for (String lock : other.locks) {
      both = both.plus(lock);
    }
    return both;
  }

  boolean any() {
    return !locks.isEmpty();
  }

  @Override
  public String toString() {
    return String.join(" and ", locks);
  }
}
