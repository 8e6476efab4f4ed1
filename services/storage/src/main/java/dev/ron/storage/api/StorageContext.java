package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.CheckResult;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.BodyBudget;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.PermitQueue;
import dev.ron.storage.object.Permits;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.reference.ObjectViews;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.upload.Upload;
import dev.ron.storage.upload.Uploads;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every verb works with, and the rules for values that several of them take.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param anonymous whose objects a request without a token reaches
 * @param cluster what {@code GET /repair} tells of other nodes; null where there is one machine
 */
public record StorageContext(
    StorageConfig config,
    Volumes volumes,
    ObjectViews views,
    Owner anonymous,
    Uploads uploads,
    Permits gets,
    Permits puts,
    BodyBudget bodies,
    RepairTasks<?> upkeep,
    StorageMetrics metrics,
    Time time,
    Supplier<@Nullable Record> cluster) {
  private static final int ID_CHARS_MAX = 64;

  /**
   * @param gets reads at a time, where the configuration leaves it to the cores
   * @param puts writes at a time, likewise
   */
  public static StorageContext of(
      Scope scope,
      StorageConfig config,
      ObjectViews views,
      Owner anonymous,
      Uploads uploads,
      RepairTasks<?> upkeep,
      int gets,
      int puts,
      Supplier<@Nullable Record> cluster) {
    StorageConfig.Pools pools = config.pools();
    Volumes volumes = upkeep.volumes();
    scope
        .metrics()
        .sampled(
            "damaged_objects",
            "Objects with a copy that is known to be bad.",
            sample -> sample.call((double) volumes.badCopies()));
    var work = new PermitQueue(scope, "work", pools.work());
    var reads =
        new Permits(scope, "get", pools.get() > 0 ? pools.get() : gets, volumes::overdue, work);
    upkeep.pace().among(reads, scope.tenants());
    return new StorageContext(
        config,
        volumes,
        views,
        anonymous,
        uploads,
        reads,
        new Permits(scope, "put", pools.put() > 0 ? pools.put() : puts, volumes::overdue, work),
        new BodyBudget(config.sizes().bodyMemory().bytes()),
        upkeep,
        upkeep.metrics(),
        scope.time(),
        cluster);
  }

  public static Address address(Exchange exchange) throws Refusal {
    return address(exchange.param("address"));
  }

  public static Address address(String text) throws Refusal {
    return switch (Address.parse(text)) {
      case CheckResult.Good<Address>(Address address) -> address;
      case CheckResult.Bad<Address>(var fault) ->
          throw Refusal.of(
              new StorageFault.Malformed(
                  "an address is b3: and 64 lowercase hex digits; this one "
                      + (fault instanceof Blake3Fault.AddressMalformed(String reason)
                          ? reason
                          : fault.code())));
    };
  }

  /** Whose objects a request reaches; an operator may act as a tenant. */
  Owner owner(Exchange exchange) throws Refusal {
    return StorageRights.owner(exchange, anonymous);
  }

  /** The objects that a request reaches. */
  ObjectStore objects(Exchange exchange) throws Refusal {
    return views.of(owner(exchange));
  }

  /** What is known of an object; a refusal if it is not there. */
  ContentStat stat(ObjectStore objects, Address address) throws Refusal, InterruptedException {
    try {
      Optional<ContentStat> found = objects.stat(address);
      if (found.isPresent()) {
        return found.get();
      }
    } catch (ContentUnavailable silent) {
      throw Refusal.of(
          new StorageFault.Unavailable(
              "%s is not on the disks here, and the bucket cannot be asked: %s"
                  .formatted(address, silent.getMessage())));
    }
    throw Refusal.of(objects.missing(address));
  }

  /** An upload that is open; a refusal if there is none. */
  Upload upload(UploadName name) throws Refusal {
    Optional<Upload> found;
    try {
      found = uploads.find(name.id(), name.owner());
    } catch (IOException e) {
      throw Refusal.of(StorageFault.of(e));
    }
    String id = name.id();
    return found.orElseThrow(
        () ->
            Refusal.of(
                new StorageFault.UploadUnknown(
                    id.length() > ID_CHARS_MAX ? id.substring(0, ID_CHARS_MAX) : id)));
  }

  /** Told where something was stored, so that a weaker promise is not taken for the strong one. */
  String durability() {
    return config.amnesia() ? "amnesia" : "always";
  }

  /** The body in memory, no longer than the route and the capability let through. */
  BodyBudget.Unread body(Exchange exchange, int bytesMax) {
    int most = (int) StorageRights.bytesMax(exchange, bytesMax);
    return () -> {
      try (var in = exchange.body().stream()) {
        return bodies.read(in, most, Refusal.of(new HttpFault.BodyCap(most)));
      }
    };
  }

  /** Whether the request could read an object, and so may learn that it is there. */
  Predicate<Address> readable(Exchange exchange) {
    return address -> StorageRights.mayRead(exchange, address, config.publicRead(), time.wall());
  }

  double secondsSince(Instant then) {
    return Duration.between(then, time.now()).toNanos() / 1e9;
  }
}
