package dev.ron.storage.cluster.api;

import dev.ron.blake3.Address;
import dev.ron.capability.Verifier;
import dev.ron.content.ContentStat;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.storage.StorageFault;
import dev.ron.storage.api.StorageContext;
import dev.ron.storage.api.StorageRights;
import dev.ron.storage.api.StoredObject;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.ClusterNode.Kind;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.node.PeerMessages;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /peer/...}: what nodes ask of each other. Each answers for its own disks alone.
 *
 * <p>All of it is the operation {@code peer}: a capability that names other operations is refused
 * here, and one that names this is refused elsewhere.
 *
 * <p>Threading: immutable.
 *
 * @param places for work of other nodes; apart from our clients', because a request of theirs may
 *     wait for one of ours
 */
public record PeerRoutes(StorageContext desk, LocalNode node, Permits places) {
  static final String OP = "peer";
  private static final String FAR_PEER =
      "nodes on other machines are let in with cluster.tls only, at the door that it opens";

  private static final int QUESTION_BYTES_MAX = 1 << 18;
  private static final int WRITE_CHARS_MAX = 128;
  private static final int PAGE = 1000;

  /**
   * As for clients, but that a capability is needed also where reading is public. Unless nodes may
   * be on other machines, one that speaks from there is none, whatever it shows.
   *
   * @param verifier null lets every request in
   */
  public static Guard guard(Scope scope, @Nullable Verifier verifier, StorageClusterConfig config) {
    var reads = new HashSet<>(StorageRights.OPERATOR_READS);
    reads.add(OP);
    Guard byToken = StorageRights.guard(scope, verifier, config.storage().publicRead(), reads);
    boolean far = config.tls().beyondLoopback();
    return exchange ->
        !far && exchange.route().op().equals(OP) && isFar(exchange.peer())
            ? Refusal.of(new HttpFault.Forbidden(FAR_PEER))
            : byToken.check(exchange);
  }

  private static boolean isFar(SocketAddress from) {
    return from instanceof InetSocketAddress inet && !inet.getAddress().isLoopbackAddress();
  }

  /** Adds them to the routes of a door. */
  public Routes addTo(Routes routes) {
    long most = desk.config().sizes().objectBytes().bytes() + (1 << 20);
    var limit = desk.config().transferLimit();
    var slices = new PeerSlices(node, places);
    add(routes, "GET", "/peer/status", status());
    add(routes, "GET", "/peer/stat/{address}", stat());
    add(routes, "GET", "/peer/tree/{address}", slices.tree());
    add(routes, "GET", "/peer/coded/{address}", slices.coded());
    add(routes, "GET", "/peer/o", list());
    for (Kind kind : Kind.values()) {
      String word = kind.word();
      add(routes, "GET", "/peer/" + word + "/{address}", slices.slice(kind));
      routes.add(
          route("PUT", "/peer/" + word + "/{address}", put(kind, true))
              .bodyBytesMax(most)
              .within(limit));
      routes.add(route("GET", "/peer/sound/" + word + "/{address}", sound(kind)).within(limit));
    }
    routes.add(
        route("POST", "/peer/shard", put(Kind.SHARD, false)).bodyBytesMax(most).within(limit));
    add(routes, "DELETE", "/peer/o/{address}", delete());
    add(routes, "POST", "/peer/back", takeBack());
    add(routes, "POST", "/peer/parts", parts());
    add(routes, "POST", "/peer/objects", objects());
    add(routes, "POST", "/peer/promise", promise());
    add(routes, "POST", "/peer/have", have());
    add(routes, "POST", "/peer/offer", offer());
    return routes;
  }

  private static void add(Routes routes, String method, String path, Blocking handler) {
    routes.add(route(method, path, handler));
  }

  private static Route route(String method, String path, Blocking handler) {
    return Route.of(method, path, OP, handler)
        .documented(
            "Between the nodes of one storage.",
            List.of(200, 204, 400, 401, 403, 404, 429, 502, 503, 507));
  }

  private static Kind kind(String word) throws Refusal {
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw Refusal.of(new StorageFault.Malformed("kind: o or shard"));
  }

  private Blocking status() {
    return _ -> json(new PeerMessages.Status(node.name(), node.takesWrites()));
  }

  private Blocking stat() {
    return exchange -> {
      Address address = StorageContext.address(exchange);
      return node.stat(address)
          .map(known -> json(new PeerMessages.Known(known.stat().sizeBytes(), known.coded())))
          .orElseGet(() -> Answer.problem(new StorageFault.NotFound(address)));
    };
  }

  private Blocking list() {
    return exchange -> {
      String after = exchange.query().first("after");
      var found =
          node.list(
              after == null ? null : StorageContext.address(after),
              number(exchange, "limit", PAGE));
      return json(
          new PeerMessages.Page(
              found.stream()
                  .map(stat -> StoredObject.of(stat.address(), stat.sizeBytes()))
                  .toList(),
              null));
    };
  }

  private Blocking put(Kind kind, boolean named) {
    return exchange -> {
      Address expected = named ? StorageContext.address(exchange) : null;
      ClusterNode.Origin origin = origin(exchange);
      try (Permits.Place _ = places.enter();
          var in = exchange.body().stream()) {
        long size = exchange.head().bodyLength();
        ObjectStore.Source once = ObjectStore.Source.of(size < 0 ? Long.MAX_VALUE : size, () -> in);
        return stored(node.put(kind, expected, origin, once));
      }
    };
  }

  private static ClusterNode.Origin origin(Exchange exchange) throws Refusal {
    String write = exchange.query().first("write");
    if (write == null || write.isEmpty() || write.length() > WRITE_CHARS_MAX) {
      throw Refusal.of(new StorageFault.Malformed("write: the name of the write"));
    }
    String object = exchange.query().first("object");
    return new ClusterNode.Origin(
        write,
        object == null ? null : StorageContext.address(object),
        number(exchange, "shard", 255));
  }

  private static Answer stored(ObjectStore.Written written) {
    return switch (written) {
      case ObjectStore.Written.Stored(Address address, long size, boolean fresh) ->
          json(new PeerMessages.Stored(address.toString(), size, fresh));
      case ObjectStore.Written.Refused(var fault) -> Answer.problem(fault);
    };
  }

  private Blocking delete() {
    return exchange -> {
      Address address = StorageContext.address(exchange);
      try (Permits.Place _ = places.enter()) {
        return node.delete(address)
            ? Answer.empty(204)
            : Answer.problem(new StorageFault.NotFound(address));
      } catch (Refusal refusal) {
        throw refusal;
      } catch (IOException e) {
        return Answer.problem(new StorageFault.Unavailable(String.valueOf(e.getMessage())));
      }
    };
  }

  private Blocking takeBack() {
    return exchange -> {
      PeerMessages.TakeBack asked = body(exchange, PeerMessages.TakeBack.class);
      node.takeBack(kind(asked.kind()), StorageContext.address(asked.address()), asked.write());
      return Answer.empty(204);
    };
  }

  private Blocking parts() {
    return exchange -> {
      PeerMessages.Question asked = body(exchange, PeerMessages.Question.class);
      try (Permits.Place _ = places.enter()) {
        return json(new PeerMessages.Parts(node.parts(shared(asked), asked.range())));
      }
    };
  }

  private Blocking objects() {
    return exchange -> {
      PeerMessages.Question asked = body(exchange, PeerMessages.Question.class);
      try (Permits.Place _ = places.enter()) {
        return json(PeerMessages.Objects.of(node.objects(shared(asked), asked.range())));
      }
    };
  }

  private static ClusterNode.Shared shared(PeerMessages.Question asked) throws Refusal {
    return new ClusterNode.Shared(kind(asked.kind()), asked.view(), asked.shards(), asked.with());
  }

  private Blocking sound(Kind kind) {
    return exchange -> {
      Address address = StorageContext.address(exchange);
      return node.sound(kind, new ContentStat(address, 0))
          ? Answer.empty(204)
          : Answer.problem(new StorageFault.NotFound(address));
    };
  }

  private Blocking promise() {
    return exchange -> {
      PeerMessages.Addresses asked = body(exchange, PeerMessages.Addresses.class);
      return addresses(asked, node.promise(kind(asked.kind()), parsed(asked)));
    };
  }

  private Blocking have() {
    return exchange -> {
      PeerMessages.Addresses asked = body(exchange, PeerMessages.Addresses.class);
      return addresses(asked, node.have(kind(asked.kind()), parsed(asked)));
    };
  }

  private static List<Address> parsed(PeerMessages.Addresses asked) throws Refusal {
    var addresses = new ArrayList<Address>();
    for (String each : asked.addresses()) {
      addresses.add(StorageContext.address(each));
    }
    return addresses;
  }

  private static Answer addresses(PeerMessages.Addresses asked, Set<Address> found) {
    var words = new HashSet<String>();
    found.forEach(each -> words.add(each.toString()));
    return json(new PeerMessages.Addresses(asked.kind(), List.copyOf(words)));
  }

  private Blocking offer() {
    return exchange -> {
      PeerMessages.Offer offered = body(exchange, PeerMessages.Offer.class);
      node.offer(StorageContext.address(offered.address()), offered.size(), offered.urgent());
      return Answer.empty(204);
    };
  }

  static int number(Exchange exchange, String name, int max) throws Refusal {
    return (int) longNumber(exchange, name, max);
  }

  static long longNumber(Exchange exchange, String name, long max) throws Refusal {
    @Nullable String text = exchange.query().first(name);
    if (text == null) {
      return 0;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw Refusal.of(new StorageFault.Malformed("%s: 0 to %d".formatted(name, max)));
  }

  private static <T> T body(Exchange exchange, Class<T> type) throws IOException {
    return switch (Json.plain().read(exchange.body().collect(QUESTION_BYTES_MAX), type)) {
      case JsonRead.Value<T>(T value) -> value;
      case JsonRead.Bad<T>(var fault) ->
          throw Refusal.of(new StorageFault.Malformed(fault.detail()));
    };
  }

  static Answer json(Object value) {
    return Answer.bytes(200, "application/json", Json.plain().write(value));
  }
}
