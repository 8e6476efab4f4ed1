package dev.ron.node;

import dev.ron.config.DoorAddress;
import dev.ron.config.Section;
import dev.ron.http.server.HttpServer;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.queue.Queues;
import dev.ron.storage.s3.cluster.AgreedRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A service as the node knows it: its name, its place after the base port, how its config is read,
 * and how it is wired.
 *
 * @param host the service that it is a second door of, and runs with; its own name if it is none.
 *     Its settings stand in that service's section, under its name
 * @param address where its door is, by its settings
 * @param enabled whether it runs at all, by its own settings
 * @param <C> the service's config
 */
public record ServiceKind<C>(
    String host,
    String name,
    int portOffset,
    BiFunction<Section, Doors, C> read,
    Function<C, DoorAddress> address,
    Wiring<C> wiring,
    Predicate<C> enabled) {
  /** A service with a section of its own. */
  ServiceKind(
      String name,
      int portOffset,
      BiFunction<Section, Doors, C> read,
      Function<C, DoorAddress> address,
      Wiring<C> wiring) {
    this(name, name, portOffset, read, address, wiring);
  }

  /** One that always runs where its host does. */
  ServiceKind(
      String host,
      String name,
      int portOffset,
      BiFunction<Section, Doors, C> read,
      Function<C, DoorAddress> address,
      Wiring<C> wiring) {
    this(host, name, portOffset, read, address, wiring, _ -> true);
  }

  /** Its own section, in the one of its host. */
  Section section(Section top) {
    return host.equals(name) ? top : top.section(name);
  }

  /** Where its settings stand. */
  String path() {
    return host.equals(name) ? host : host + "." + name;
  }

  /** Reads what the service has on disk and describes its tree; starts nothing. */
  interface Wiring<C> {
    Wired wire(C config, Scope scope, Surroundings around) throws IOException;
  }

  /**
   * A service's tree, and the door its address is asked of once it is open.
   *
   * @param reload takes the live keys of freshly read settings
   * @param inside whether its tree belongs below its host's: its requests have ended before a task
   *     of the host does
   */
  record Wired(
      Supervisor supervisor, HttpServer door, Consumer<NodeSettings> reload, boolean inside) {
    Wired(Supervisor supervisor, HttpServer door, Consumer<NodeSettings> reload) {
      this(supervisor, door, reload, false);
    }

    /** A service without live keys. */
    Wired(Supervisor supervisor, HttpServer door) {
      this(supervisor, door, _ -> {});
    }

    /** A door without live keys, which its host's tasks work for. */
    static Wired inside(Supervisor supervisor, HttpServer door) {
      return new Wired(supervisor, door, _ -> {}, true);
    }
  }

  /**
   * What services share in this process.
   *
   * @param machines those of the node's cluster
   * @param doors the certificates of the node's own doors, for services that call others
   * @param queues the mailbox's, for the door that speaks SQS
   * @param records that machines of a cluster agree on, of the S3 door, for the rewarder
   */
  record Surroundings(
      NodeSettings settings,
      NodeTrust trust,
      NodeMachines machines,
      PinnedCertificates doors,
      AtomicReference<Queues> queues,
      AtomicReference<@Nullable AgreedRecords> records) {
    Surroundings(
        NodeSettings settings, NodeTrust trust, NodeMachines machines, PinnedCertificates doors) {
      this(settings, trust, machines, doors, new AtomicReference<>(), new AtomicReference<>());
    }

    NodeConfig node() {
      return settings.node();
    }
  }

  /**
   * Where the services of a node listen, as far as their settings have been read: a service that
   * calls another finds it there, unless it is told another place.
   *
   * @param read of the services that stand before the one that is being read
   */
  record Doors(NodeConfig node, Map<String, DoorAddress> read) {
    Doors {
      read = Map.copyOf(read);
    }

    Path data() {
      return node.data();
    }

    /** On this machine, at its place behind the base port. */
    String loopback(int offset) {
      return "127.0.0.1:" + node.port(offset);
    }

    String url(String service) {
      return Objects.requireNonNull(read.get(service), service).url();
    }

    /** Empty if it does not run in this process, or if only the system knows its port. */
    Optional<String> running(String service) {
      return Optional.ofNullable(read.get(service))
          .filter(door -> node.runs(service) && door.bind().port() != 0)
          .map(DoorAddress::url);
    }
  }
}
