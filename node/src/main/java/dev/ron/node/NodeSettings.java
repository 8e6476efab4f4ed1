package dev.ron.node;

import dev.ron.config.ConfigCatalogue;
import dev.ron.config.ConfigEntry;
import dev.ron.config.DoorAddress;
import dev.ron.config.Draft;
import dev.ron.config.Settings;
import dev.ron.config.source.Flags;
import dev.ron.config.value.HostPort;
import dev.ron.kernel.Scope;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.node.trace.TracesConfig;
import dev.ron.node.usage.UsageConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every section of the configuration, read and checked together.
 *
 * <p>Threading: immutable.
 */
public record NodeSettings(
    NodeConfig node,
    AdminConfig admin,
    UsageConfig usage,
    TracesConfig traces,
    TenantTable tenants,
    List<Chosen<?>> services,
    ConfigCatalogue catalogue) {
  /** A service with its config, ready to be wired. */
  record Chosen<C>(ServiceKind<C> kind, C config) {
    ServiceKind.Wired wire(Scope scope, ServiceKind.Surroundings around) throws IOException {
      return kind.wiring().wire(config, scope, around);
    }
  }

  /** The config of one service. */
  <C> C config(Class<C> kind) {
    return services.stream()
        .map(Chosen::config)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no service has a " + kind.getSimpleName()));
  }

  /** Where this node listens, by the key that says so: doors of what does not run here are none. */
  public Map<String, HostPort> doors() {
    var closed = new HashSet<String>();
    for (ServiceKind<?> kind : Services.all()) {
      if (services.stream().noneMatch(chosen -> chosen.kind().name().equals(kind.name()))) {
        closed.add(kind.path());
      }
    }
    var doors = new LinkedHashMap<String, HostPort>();
    for (ConfigEntry each : catalogue.entries()) {
      if (each.path().endsWith(".bind")
          && each.value() instanceof HostPort at
          && closed.stream().noneMatch(path -> each.path().startsWith(path + "."))) {
        doors.put(each.path(), at);
      }
    }
    return doors;
  }

  /** Throws {@link dev.ron.config.ConfigFault} with everything that is wrong. */
  public static NodeSettings load(
      Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
    return load(new Flags(flags), environment, file);
  }

  /** Like the other, with values that a command derived. */
  public static NodeSettings load(
      Flags flags, Map<String, String> environment, Optional<Path> file) {
    Settings settings = Settings.load(flags, environment, file);
    // The node's own section is needed for the others' defaults, before all problems are known.
    NodeConfig node = NodeConfig.read(settings.section("node"));
    Draft<AdminConfig> admin = settings.read("admin", section -> AdminConfig.read(section, node));
    Draft<UsageConfig> usage = settings.read("usage", UsageConfig::read);
    Draft<TracesConfig> traces = settings.read("traces", TracesConfig::read);
    Draft<TenantTable> tenants = settings.readRoot(TenantConfig::read);
    List<Unchecked<?>> drafts = new ArrayList<>();
    var doors = new HashMap<String, DoorAddress>();
    for (ServiceKind<?> kind : Services.all()) {
      Unchecked<?> draft = Unchecked.read(kind, settings, new ServiceKind.Doors(node, doors));
      doors.put(kind.name(), draft.address(node));
      drafts.add(draft);
    }
    settings.check();
    List<Chosen<?>> chosen = new ArrayList<>();
    for (Unchecked<?> draft : drafts) {
      if (node.runs(draft.kind().host()) && draft.isEnabled()) {
        chosen.add(draft.chosen());
      }
    }
    return new NodeSettings(
        node,
        admin.value(),
        usage.value(),
        traces.value(),
        tenants.value(),
        chosen,
        settings.catalogue());
  }

  private record Unchecked<C>(ServiceKind<C> kind, Draft<C> draft) {
    static <C> Unchecked<C> read(ServiceKind<C> kind, Settings settings, ServiceKind.Doors doors) {
      return new Unchecked<>(
          kind,
          settings.read(kind.host(), section -> kind.read().apply(kind.section(section), doors)));
    }

    /** Where it is by its place among the services if its settings cannot be read. */
    DoorAddress address(NodeConfig node) {
      return draft
          .known()
          .map(kind.address())
          .orElseGet(
              () -> DoorAddress.plain(new HostPort("127.0.0.1", node.port(kind.portOffset()))));
    }

    boolean isEnabled() {
      return kind.enabled().test(draft.value());
    }

    Chosen<C> chosen() {
      return new Chosen<>(kind, draft.value());
    }
  }
}
