package dev.ron.gateway.route;

import dev.ron.http.client.Origin;
import dev.ron.http.tls.PeerTls;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The machines of the cluster that a gateway is part of: where each has a door for the gateways of
 * the others, and what they show each other there.
 *
 * <p>Threading: immutable; {@code doors} is called from any thread.
 *
 * @param own where this machine's door is; empty for a gateway of a node alone
 * @param doors of the other machines that run a service, by its name, as they are at the moment
 */
public record OtherMachines(Optional<Door> own, Function<String, List<String>> doors) {
  public static final OtherMachines NONE = new OtherMachines(Optional.empty(), _ -> List.of());

  /** Where this machine listens for the others. */
  public record Door(String host, int port, PeerTls tls) {}

  List<Origin> with(String service) {
    return own.isEmpty() || service.isEmpty()
        ? List.of()
        : doors.apply(service).stream()
            .map(each -> Origin.of(URI.create("https://" + each)))
            .toList();
  }
}
