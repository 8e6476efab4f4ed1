package dev.ron.node;

import dev.ron.config.Section;
import dev.ron.http.server.HttpServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Supervisor;
import java.io.IOException;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A service as the node knows it: its name, its place after the base port, how its config is read,
 * and how it is wired.
 *
 * @param host the service that it is a second door of, and runs with; its own name if it is none.
 *     Its settings stand in that service's section, under its name
 * @param <C> the service's config
 */
public record ServiceKind<C>(
    String host,
    String name,
    int portOffset,
    BiFunction<Section, NodeConfig, C> read,
    Wiring<C> wiring) {
  /** A service with a section of its own. */
  ServiceKind(
      String name, int portOffset, BiFunction<Section, NodeConfig, C> read, Wiring<C> wiring) {
    this(name, name, portOffset, read, wiring);
  }

  /** Its own section, in the one of its host. */
  Section section(Section top) {
    return host.equals(name) ? top : top.section(name);
  }

  /** Reads what the service has on disk and describes its tree; starts nothing. */
  interface Wiring<C> {
    Wired wire(C config, Scope scope, Surroundings around) throws IOException;
  }

  /**
   * A service's tree, and the door its address is asked of once it is open.
   *
   * @param reload takes the live keys of freshly read settings
   */
  record Wired(Supervisor supervisor, HttpServer door, Consumer<NodeSettings> reload) {
    /** A service without live keys. */
    Wired(Supervisor supervisor, HttpServer door) {
      this(supervisor, door, _ -> {});
    }
  }

  /** What services share in this process. */
  record Surroundings(NodeSettings settings, NodeTrust trust) {
    NodeConfig node() {
      return settings.node();
    }
  }
}
