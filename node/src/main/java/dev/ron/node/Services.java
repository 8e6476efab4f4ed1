package dev.ron.node;

import java.util.List;

/**
 * The services of this build, in the order they start: whoever is called stands before the caller.
 *
 * <p>A new service is one line here.
 */
final class Services {
  private Services() {}

  static List<ServiceKind<?>> all() {
    return List.of();
  }
}
