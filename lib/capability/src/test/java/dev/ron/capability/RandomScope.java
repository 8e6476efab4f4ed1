package dev.ron.capability;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Box;
import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.KeyPrefix;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Random caveats and asks from a small world, so that they meet often: about as many asks pass a
 * caveat as fail it.
 */
public final class RandomScope {
  static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

  private static final List<String> PATHS =
      List.of("/", "/o", "/o/", "/o/a", "/o/a/b", "/other", "/p", "orders", "orders.eu", "orders2");
  private static final List<String> ODD_PATHS =
      List.of("/o/../p", "//o", "/o/%2e", "/o/%2Fa", "", "a..b", "/o;x");

  private static final List<String> KEYS = List.of("a", "a/b", "a//b", "../x", "b", "\u00e9/b");

  private RandomScope() {}

  public static Caveat caveat(Random random) {
    return switch (random.nextInt(13)) {
      case 0 -> new Caveat.Service(names(random, "edge", "mailbox", "storage"));
      case 1 -> new Caveat.Operation(names(random, "send", "recv", "get"));
      case 2 -> new Caveat.Tenant(pick(random, List.of("acme", "zeta")));
      case 3 -> new Caveat.Prefix(pick(random, PATHS));
      case 4 -> new Caveat.Expiry(NOON.plusSeconds(random.nextInt(100) - 20));
      case 5 -> new Caveat.Rate(1 + random.nextInt(1000));
      case 6 -> new Caveat.Bytes(random.nextInt(4096));
      case 7 -> new Caveat.Pack(names(random, "world", "europe"));
      case 8 -> {
        int min = random.nextInt(8);
        yield new Caveat.Zoom(min, min + random.nextInt(16));
      }
      case 9 -> new Caveat.BoundingBox(box(random, 900_000_000));
      case 10 -> new Caveat.Bucket(names(random, "photos", "logs"));
      case 11 -> new Caveat.Key(KeyPrefix.of(pick(random, KEYS)));
      default ->
          random.nextInt(4) == 0
              ? new Caveat.Unknown("phase = moon-" + random.nextInt(9))
              : new Caveat.Rate(1 + random.nextInt(10));
    };
  }

  static AccessRequest ask(Random random) {
    return new AccessRequest(
        pick(random, List.of("edge", "mailbox", "storage")),
        pick(random, List.of("send", "recv", "get")),
        NOON.plusSeconds(random.nextInt(40)),
        maybe(random) ? pick(random, List.of("acme", "zeta")) : null,
        maybe(random) ? pick(random, random.nextInt(10) == 0 ? ODD_PATHS : PATHS) : null,
        maybe(random) ? Long.valueOf(random.nextInt(4096)) : null,
        maybe(random) ? pick(random, List.of("world", "europe")) : null,
        maybe(random) ? Integer.valueOf(random.nextInt(20)) : null,
        maybe(random) ? box(random, 100_000_000) : null,
        maybe(random) ? pick(random, List.of("photos", "logs")) : null,
        maybe(random) ? KeyPrefix.of(pick(random, KEYS)) : null);
  }

  static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static Set<String> names(Random random, String... all) {
    var chosen = new TreeSet<String>();
    chosen.add(all[random.nextInt(all.length)]);
    for (String name : all) {
      if (random.nextBoolean()) {
        chosen.add(name);
      }
    }
    return chosen;
  }

  private static Box box(Random random, int sizeE7) {
    var longitudes =
        new ArrayList<Integer>(List.of(within(random, sizeE7), within(random, sizeE7)));
    var latitudes = new ArrayList<Integer>(List.of(within(random, sizeE7), within(random, sizeE7)));
    longitudes.sort(null);
    latitudes.sort(null);
    return new Box(
        longitudes.getFirst(), latitudes.getFirst(), longitudes.getLast(), latitudes.getLast());
  }

  private static int within(Random random, int sizeE7) {
    return random.nextInt(2 * sizeE7 + 1) - sizeE7;
  }

  private static boolean maybe(Random random) {
    return random.nextInt(4) != 0;
  }
}
