package dev.ron.node.cap;

import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.KeyPrefix;
import dev.ron.config.value.Durations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that narrow a token. */
final class CaveatOptions {
  @Option(names = "--tenant", description = "For this tenant only.")
  private @Nullable String tenant;

  @Option(names = "--service", split = ",", description = "For these services only.")
  private final Set<String> services = new TreeSet<>();

  @Option(names = "--op", split = ",", description = "For these operations only.")
  private final Set<String> operations = new TreeSet<>();

  @Option(names = "--prefix", description = "For paths or topics under this prefix.")
  private @Nullable String prefix;

  @Option(names = "--bucket", split = ",", description = "For these buckets only.")
  private final Set<String> buckets = new TreeSet<>();

  @Option(names = "--key", description = "For objects whose key begins with this text.")
  private @Nullable String key;

  @Option(names = "--for", description = "How long it holds: 10m, 24h, 7d.")
  private @Nullable String lifetime;

  @Option(names = "--rate", description = "At most this many requests a second.")
  private @Nullable Long rate;

  @Option(names = "--bytes", description = "Bodies of at most this many bytes.")
  private @Nullable Long bytes;

  @Option(names = "--caveat", description = "A caveat in its text form, such as `zoom = 0-10`.")
  private final List<String> texts = new ArrayList<>();

  List<Caveat> caveats(Instant now) {
    var caveats = new ArrayList<Caveat>();
    if (tenant != null) {
      caveats.add(new Caveat.Tenant(tenant));
    }
    if (!services.isEmpty()) {
      caveats.add(new Caveat.Service(services));
    }
    if (!operations.isEmpty()) {
      caveats.add(new Caveat.Operation(operations));
    }
    if (prefix != null) {
      caveats.add(new Caveat.Prefix(prefix));
    }
    if (!buckets.isEmpty()) {
      caveats.add(new Caveat.Bucket(buckets));
    }
    if (key != null) {
      caveats.add(new Caveat.Key(KeyPrefix.of(key)));
    }
    if (lifetime != null) {
      caveats.add(Caveat.Expiry.after(now, Durations.ofFlag("--for", lifetime)));
    }
    if (rate != null) {
      caveats.add(new Caveat.Rate(rate));
    }
    if (bytes != null) {
      caveats.add(new Caveat.Bytes(bytes));
    }
    texts.forEach(text -> caveats.add(known(text)));
    return caveats;
  }

  private static Caveat known(String text) {
    Caveat caveat = Caveat.parse(text);
    if (caveat instanceof Caveat.Unknown) {
      throw new IllegalArgumentException(
          "caveat `%s` is not one Ron knows, so every verifier would refuse it".formatted(text));
    }
    return caveat;
  }
}
