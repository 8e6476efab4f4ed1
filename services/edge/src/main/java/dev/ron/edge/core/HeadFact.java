package dev.ron.edge.core;

import java.util.List;

/**
 * What happened to stored answers; applied in order, facts lead to what is stored now.
 *
 * <p>Each stands for itself and may be applied twice: the last one about an id counts.
 *
 * <p>Threading: immutable.
 */
public sealed interface HeadFact {
  /**
   * From now on this is what is stored under its id.
   *
   * @param tenant that filled it; empty if that is not known
   */
  record Kept(StoredResponse stored, String tenant) implements HeadFact {}

  /** Nothing that was stored under these keys before is to be used again. */
  record Cleared(List<CacheKey> keys) implements HeadFact {
    public Cleared {
      keys = List.copyOf(keys);
    }
  }

  /** These ids are stored no more. */
  record Dropped(List<Long> ids) implements HeadFact {
    public Dropped {
      ids = List.copyOf(ids);
    }
  }
}
