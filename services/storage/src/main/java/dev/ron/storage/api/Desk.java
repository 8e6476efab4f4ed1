package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.Checked;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.task.BodyBudget;
import dev.ron.storage.task.Pool;
import dev.ron.storage.task.Shelves;
import dev.ron.storage.task.Stock;
import dev.ron.storage.task.Upkeep;
import dev.ron.storage.task.Uploads;
import dev.ron.storage.task.WaitingRoom;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every verb works with, and the rules for values that several of them take.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param cluster what {@code GET /repair} tells of other nodes; null where there is one machine
 */
public record Desk(
    StorageConfig config,
    Shelves shelves,
    Stock stock,
    Uploads uploads,
    Pool gets,
    Pool puts,
    BodyBudget bodies,
    Upkeep<?> upkeep,
    StorageMetrics metrics,
    Time time,
    Supplier<@Nullable Record> cluster) {
  /** Said where something was stored, so that nobody takes a weaker promise for the strong one. */
  private static final String DURABILITY = "Ron-Durability";

  /**
   * @param gets reads at a time, where the configuration leaves it to the cores
   * @param puts writes at a time, likewise
   */
  public static Desk of(
      Scope scope,
      StorageConfig config,
      Stock stock,
      Uploads uploads,
      Upkeep<?> upkeep,
      int gets,
      int puts,
      Supplier<@Nullable Record> cluster) {
    StorageConfig.Pools pools = config.pools();
    Shelves shelves = upkeep.shelves();
    scope
        .metrics()
        .sampled(
            "damaged_objects",
            "Objects with a copy that is known to be bad.",
            sample -> sample.call((double) shelves.badCopies()));
    var work = new WaitingRoom(scope, "work", pools.work());
    return new Desk(
        config,
        shelves,
        stock,
        uploads,
        new Pool(scope, "get", pools.get() > 0 ? pools.get() : gets, work),
        new Pool(scope, "put", pools.put() > 0 ? pools.put() : puts, work),
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
      case Checked.Good<Address>(Address address) -> address;
      case Checked.Bad<Address>(var fault) ->
          throw Problems.refusal(
              new StorageFault.Malformed(
                  "an address is b3: and 64 lowercase hex digits; this one "
                      + (fault instanceof Blake3Fault.AddressMalformed(String reason)
                          ? reason
                          : fault.code())));
    };
  }

  /** What is known of an object; a refusal if it is not there. */
  ContentStat stat(Address address) throws Refusal, InterruptedException {
    try {
      Optional<ContentStat> found = stock.stat(address);
      if (found.isPresent()) {
        return found.get();
      }
    } catch (ContentUnavailable silent) {
      throw Problems.refusal(
          new StorageFault.Unavailable(
              "%s is not on the disks here, and the bucket cannot be asked: %s"
                  .formatted(address, silent.getMessage())));
    }
    throw Problems.refusal(stock.missing(address));
  }

  Answer durable(Answer answer) {
    return answer.with(DURABILITY, config.amnesia() ? "amnesia" : "always");
  }

  /** The body in memory, no longer than the route and the capability let through. */
  BodyBudget.Held body(Exchange exchange, int bytesMax) throws IOException {
    int most = (int) Rights.bytesMax(exchange, bytesMax);
    try (var in = exchange.body().stream()) {
      return bodies.read(in, most, Refusal.of(new HttpFault.BodyCap(most)));
    }
  }

  boolean mayRead(Exchange exchange, Address address) {
    return Rights.mayRead(exchange, address, config.publicRead(), time.wall());
  }

  double secondsSince(Instant then) {
    return Duration.between(then, time.now()).toNanos() / 1e9;
  }
}
