package dev.ron.edge.core;

import dev.ron.edge.Mount;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The upstreams that the edge may fill from, by the paths under which they are served.
 *
 * <p>The list is the permission: a path below none of its roots has no upstream, and what a client
 * sends never names one.
 *
 * <p>Threading: immutable.
 */
public record AllowList(List<Mount> mounts) {
  /**
   * A path that is served, with the mount behind it.
   *
   * @param path ends in a slash
   */
  public record Root(String path, Mount mount) {}

  public AllowList {
    mounts = List.copyOf(mounts);
    Set<String> roots = new HashSet<>();
    Map<String, Mount> origins = new HashMap<>();
    for (Mount mount : mounts) {
      // What is stored is found by its origin, so it is of one owner.
      Mount other = origins.putIfAbsent(mount.origin(), mount);
      if (other != null && !other.tenant().equals(mount.tenant())) {
        throw new IllegalArgumentException(
            "two mounts with upstream = %s, and one of them is a tenant's"
                .formatted(mount.upstream()));
      }
      for (String root : mount.roots()) {
        if (!roots.add(root)) {
          throw new IllegalArgumentException(
              "two mounts with prefix = " + mount.prefix() + ", both served under " + root);
        }
      }
    }
  }

  /** The longest path first, because the first route that matches is taken. */
  public List<Root> roots() {
    return mounts.stream()
        .flatMap(mount -> mount.roots().stream().map(path -> new Root(path, mount)))
        .sorted(Comparator.comparingInt(root -> -root.path().length()))
        .toList();
  }
}
