package dev.ron.node.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One service as the admin door's registry has it. The door knows all of its node; asking each
 * service for itself would need a certificate that this machine trusts.
 *
 * <p>Threading: immutable.
 *
 * @param missing what its readiness lacks; empty if it is ready
 */
record ServiceState(String service, String url, boolean ready, String missing) {
  /**
   * The services of a node that have an address.
   *
   * @throws IOException if what answers is not an admin door
   */
  static List<ServiceState> all(ServiceClient admin) throws IOException, InterruptedException {
    byte[] registry;
    try {
      registry = admin.bytes("GET", "/registry", new Headers(1), new byte[0], AdminOptions.LIMIT);
    } catch (ServiceRefusal refused) {
      if (refused.mayPass()) {
        throw refused;
      }
      throw new NoAdminDoor(String.valueOf(refused.getMessage()));
    }
    List<ServiceState> all = of(new String(registry, UTF_8));
    if (all.isEmpty()) {
      throw new NoAdminDoor("its answer names no service");
    }
    return all;
  }

  static List<ServiceState> of(String registry) {
    List<ServiceState> all = new ArrayList<>();
    Map<String, @Nullable Object> said = Map.of();
    try {
      said = JsonTree.object(registry.getBytes(UTF_8));
    } catch (Refusal unreadable) {
      // Not a registry, so it names no service.
    }
    if (said.get("services") instanceof List<?> services) {
      for (Object each : services) {
        if (each instanceof Map<?, ?> fields
            && fields.get("service") instanceof String service
            && fields.get("url") instanceof String url
            && !url.isEmpty()) {
          boolean ready = Boolean.TRUE.equals(fields.get("ready"));
          String missing = fields.get("missing") instanceof String words ? words : "";
          all.add(new ServiceState(service, url, ready, missing));
        }
      }
    }
    return all;
  }

  /** What answers at the address is something else; the message says what it answered. */
  static final class NoAdminDoor extends IOException {
    private static final long serialVersionUID = 1L;

    private NoAdminDoor(String answered) {
      super(answered);
    }
  }
}
