package dev.ron.storage.cluster.api;

import dev.ron.blake3.Address;
import dev.ron.capability.Verifier;
import dev.ron.content.ContentStat;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Verb;
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
import dev.ron.storage.cluster.node.ReferenceMessages;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /peer/...}: what nodes ask of each other. Each answers for its own disks alone.
 *
 * <p>All of it is the operation {@code peer}: a capability that names other operations is refused
 * here, and one that names this is refused elsewhere.
 *
 * <p>Threading: immutable.
 *
 * @param knows the nodes on this one's list
 * @param places for work of other nodes; apart from our clients', because a request of theirs may
 *     wait for one of ours
 */
public record PeerRoutes(
    StorageContext context, LocalNode node, Supplier<Set<String>> knows, Permits places) {
  static final String OP = "peer";
  private static final String FAR_PEER =
      "nodes on other machines are let in with cluster.tls only, at the door that it opens";

  private static final String TENANT = "nodes ask this of each other; the capability is a tenant's";
  private static final String OCTETS = "application/octet-stream";
  private static final int QUESTION_BYTES_MAX = 1 << 18;
  private static final int WRITE_CHARS_MAX = 128;
  private static final int PAGE = 1000;

  /**
   * As for clients, but that a capability is needed also where reading is public. Unless nodes may
   * be on other machines, one that speaks from there is none, whatever it shows. No tenant is a
   * node.
   *
   * @param verifier null lets every request in
   */
  public static Guard guard(Scope scope, @Nullable Verifier verifier, StorageClusterConfig config) {
    var reads = new HashSet<>(StorageRights.OPERATOR_READS);
    reads.add(OP);
    Guard byToken = StorageRights.guard(scope, verifier, config.storage().publicRead(), reads);
    boolean far = config.tls().beyondLoopback();
    return exchange -> {
      if (!far && exchange.route().op().equals(OP) && isFar(exchange.peer())) {
        return Refusal.of(new HttpFault.Forbidden(FAR_PEER));
      }
      Refusal refused = byToken.check(exchange);
      boolean tenant = exchange.route().op().equals(OP) && StorageRights.isTenant(exchange);
      return refused == null && tenant ? Refusal.of(new HttpFault.Forbidden(TENANT)) : refused;
    };
  }

  private static boolean isFar(SocketAddress from) {
    return from instanceof InetSocketAddress inet && !inet.getAddress().isLoopbackAddress();
  }

  /** Adds them to the routes of a door. */
  public Routes addTo(Routes routes) {
    var slices = new PeerSlices(node, places);
    for (Kind kind : Kind.values()) {
      String path = "/peer/" + kind.word() + "/{address}";
      routes.add(
          told(Route.get(path))
              .query("from", "length", "for")
              .answers(200, OCTETS, Schema.ANY)
              .does(slices.slice(kind)),
          stores(Route.put(path), kind, true),
          told(Route.get("/peer/sound/" + kind.word() + "/{address}"))
              .answers(204)
              .within(context.config().transferLimit())
              .does(new PeerVerb<>(PeerRequest::address, address -> sound(kind, address))));
    }
    return routes
        .add(
            stores(Route.post("/peer/shard"), Kind.SHARD, false),
            told(Route.get("/peer/tree/{address}"))
                .answers(200, OCTETS, Schema.ANY)
                .does(slices.tree()),
            told(Route.get("/peer/coded/{address}"))
                .answers(200, OCTETS, Schema.ANY)
                .does(slices.coded()),
            told(Route.get("/peer/status"))
                .answers(200, PeerMessages.Status.class)
                .does(new PeerVerb<>(_ -> new Verb.None(), _ -> status())),
            told(Route.get("/peer/stat/{address}"))
                .answers(200, PeerMessages.Known.class)
                .does(new PeerVerb<>(PeerRequest::address, this::stat)),
            told(Route.get("/peer/o"))
                .query("after", "limit")
                .answers(200, PeerMessages.Page.class)
                .does(new PeerVerb<>(PeerRoutes::listing, this::list)),
            told(Route.delete("/peer/o/{address}"))
                .query("seal")
                .answers(204)
                .does(new PeerVerb<>(PeerRoutes::doomed, this::delete)))
        .add(questions())
        .add(node.hasReferences() ? references() : new Route[0]);
  }

  private Route[] questions() {
    return new Route[] {
      asked("/peer/parts", PeerMessages.Question.class, PeerMessages.Parts.class, this::parts),
      asked(
          "/peer/objects", PeerMessages.Question.class, PeerMessages.Objects.class, this::objects),
      asked(
          "/peer/promise",
          PeerMessages.Addresses.class,
          PeerMessages.Addresses.class,
          asked -> addresses(asked, node.promise(kind(asked.kind()), parsed(asked)))),
      asked(
          "/peer/have",
          PeerMessages.Addresses.class,
          PeerMessages.Addresses.class,
          asked -> addresses(asked, node.have(kind(asked.kind()), parsed(asked)))),
      asked("/peer/back", PeerMessages.TakeBack.class, Verb.None.class, this::takeBack),
      asked("/peer/offer", PeerMessages.Offer.class, Verb.None.class, this::offer)
    };
  }

  /** None where objects have no references. */
  private Route[] references() {
    var verbs = new ReferenceVerbs(node.references(), places);
    return new Route[] {
      asked(
          "/peer/references/prepare",
          ReferenceMessages.Prepare.class,
          ReferenceMessages.Voted.class,
          verbs::prepare),
      asked(
          "/peer/references/accept",
          ReferenceMessages.Accept.class,
          ReferenceMessages.Voted.class,
          verbs::accept),
      asked(
          "/peer/references/read",
          ReferenceMessages.Read.class,
          ReferenceMessages.Records.class,
          verbs::read),
      asked(
          "/peer/references/named",
          ReferenceMessages.Named.class,
          ReferenceMessages.Names.class,
          verbs::named),
      asked(
          "/peer/references/changes",
          ReferenceMessages.Since.class,
          ReferenceMessages.Changed.class,
          verbs::changes),
      asked(
          "/peer/references/seal",
          ReferenceMessages.Seal.class,
          ReferenceMessages.Sealed.class,
          verbs::seal)
    };
  }

  private static <Q extends Record, A extends Record> Route asked(
      String path, Class<Q> question, Class<A> answer, PeerVerb.Step<Q, A> work) {
    Route route = told(Route.post(path)).takes("application/json", Schema.of(question));
    return (answer == Verb.None.class ? route.answers(204) : route.answers(200, answer))
        .does(new PeerVerb<>(request -> body(request, question), work));
  }

  private Route stores(Route route, Kind kind, boolean named) {
    return told(route)
        .query("write", "object", "shard", "anew")
        .takes(OCTETS, Schema.ANY)
        .answers(200, PeerMessages.Stored.class)
        .answers(409, 413)
        .bodyBytesMax(context.config().sizes().objectBytes().bytes() + (1 << 20))
        .within(context.config().transferLimit())
        .does(new PeerVerb<>(request -> incoming(request, named), in -> put(kind, in)));
  }

  private static Route told(Route route) {
    return route
        .op(OP)
        .summary("Between the nodes of one storage.")
        .answers(400, 401, 403, 404, 429, 502, 503, 507);
  }

  private static Kind kind(String word) throws Refusal {
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw Refusal.of(new StorageFault.Malformed("kind: o or shard"));
  }

  private PeerMessages.Status status() {
    return new PeerMessages.Status(
        node.name(), node.takesWrites(), knows.get().stream().sorted().toList());
  }

  private PeerMessages.Known stat(Address address) throws Refusal {
    return node.stat(address)
        .map(known -> new PeerMessages.Known(known.stat().sizeBytes(), known.coded()))
        .orElseThrow(() -> Refusal.of(new StorageFault.NotFound(address)));
  }

  private record Listing(@Nullable Address after, int limit) {}

  private static Listing listing(PeerRequest request) throws Refusal {
    String after = request.query().first("after");
    return new Listing(
        after == null ? null : StorageContext.address(after), number(request, "limit", PAGE));
  }

  private PeerMessages.Page list(Listing asked) {
    return new PeerMessages.Page(
        node.list(asked.after(), asked.limit()).stream()
            .map(stat -> StoredObject.of(stat.address(), stat.sizeBytes()))
            .toList(),
        null);
  }

  /** What is to be stored; the bytes are read as they come. */
  private record Incoming(
      @Nullable Address expected, ClusterNode.Origin origin, long sizeBytes, InputStream bytes) {}

  private static Incoming incoming(PeerRequest request, boolean named) throws Refusal {
    Address expected = named ? request.address() : null;
    ClusterNode.Origin origin = origin(request);
    long size = request.bodyBytes();
    return new Incoming(expected, origin, size < 0 ? Long.MAX_VALUE : size, request.body());
  }

  private static ClusterNode.Origin origin(PeerRequest request) throws Refusal {
    String write = request.query().first("write");
    if (write == null || write.isEmpty() || write.length() > WRITE_CHARS_MAX) {
      throw Refusal.of(new StorageFault.Malformed("write: the name of the write"));
    }
    String object = request.query().first("object");
    return new ClusterNode.Origin(
        write,
        object == null ? null : StorageContext.address(object),
        number(request, "shard", 255),
        request.query().first("anew") != null);
  }

  private PeerMessages.Stored put(Kind kind, Incoming incoming)
      throws IOException, InterruptedException {
    try (Permits.Place _ = places.enter();
        InputStream in = incoming.bytes()) {
      var once = ObjectStore.Source.of(incoming.sizeBytes(), () -> in);
      return switch (node.put(kind, incoming.expected(), incoming.origin(), once)) {
        case ObjectStore.Written.Stored(Address address, long size, boolean fresh) ->
            new PeerMessages.Stored(address.toString(), size, fresh);
        case ObjectStore.Written.Refused(var fault) -> throw Refusal.of(fault);
      };
    }
  }

  /** What is to be deleted, and the seal that must be on it. */
  private record Doomed(Address address, @Nullable String seal) {}

  private static Doomed doomed(PeerRequest request) throws Refusal {
    return new Doomed(request.address(), request.query().first("seal"));
  }

  private Verb.None delete(Doomed doomed) throws IOException, InterruptedException {
    try (Permits.Place _ = places.enter()) {
      return found(node.delete(doomed.address(), doomed.seal()), doomed.address());
    } catch (Refusal refusal) {
      throw refusal;
    } catch (IOException e) {
      throw Refusal.of(new StorageFault.Unavailable(String.valueOf(e.getMessage())));
    }
  }

  private Verb.None sound(Kind kind, Address address) throws Exception {
    return found(node.sound(kind, new ContentStat(address, 0)), address);
  }

  private static Verb.None found(boolean there, Address address) throws Refusal {
    if (!there) {
      throw Refusal.of(new StorageFault.NotFound(address));
    }
    return new Verb.None();
  }

  private Verb.None takeBack(PeerMessages.TakeBack asked) throws Exception {
    node.takeBack(kind(asked.kind()), StorageContext.address(asked.address()), asked.write());
    return new Verb.None();
  }

  private PeerMessages.Parts parts(PeerMessages.Question asked) throws Exception {
    try (Permits.Place _ = places.enter()) {
      return new PeerMessages.Parts(node.parts(shared(asked), asked.range()));
    }
  }

  private PeerMessages.Objects objects(PeerMessages.Question asked) throws Exception {
    try (Permits.Place _ = places.enter()) {
      return PeerMessages.Objects.of(node.objects(shared(asked), asked.range()));
    }
  }

  private static ClusterNode.Shared shared(PeerMessages.Question asked) throws Refusal {
    return new ClusterNode.Shared(kind(asked.kind()), asked.view(), asked.shards(), asked.with());
  }

  private static List<Address> parsed(PeerMessages.Addresses asked) throws Refusal {
    var addresses = new ArrayList<Address>();
    for (String each : asked.addresses()) {
      addresses.add(StorageContext.address(each));
    }
    return addresses;
  }

  private static PeerMessages.Addresses addresses(
      PeerMessages.Addresses asked, Set<Address> found) {
    return new PeerMessages.Addresses(
        asked.kind(), found.stream().map(Address::toString).distinct().toList());
  }

  private Verb.None offer(PeerMessages.Offer offered) throws Exception {
    node.offer(StorageContext.address(offered.address()), offered.size(), offered.urgent());
    return new Verb.None();
  }

  static int number(PeerRequest request, String name, int max) throws Refusal {
    return (int) longNumber(request, name, max);
  }

  static long longNumber(PeerRequest request, String name, long max) throws Refusal {
    @Nullable String text = request.query().first(name);
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

  private static <T> T body(PeerRequest request, Class<T> type) throws IOException {
    return switch (Json.tolerant().read(request.collect(QUESTION_BYTES_MAX), type)) {
      case JsonRead.Value<T>(T value) -> value;
      case JsonRead.Bad<T>(var fault) ->
          throw Refusal.of(new StorageFault.Malformed(fault.detail()));
    };
  }
}
