package dev.ron.rewarder.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs there are, and the decision about a request for another.
 *
 * <p>An epoch belongs to the first inputs it is closed with. A quarantined run does not claim its
 * epoch, since it settled nothing: corrected inputs may be run, the same ones may not. Dry runs
 * claim nothing either.
 *
 * <p>Threading: guarded by the lock {@code run-registry} of {@code Runs}, which lets it out to no
 * other.
 */
public final class RunBook {
  private final Map<String, Entry> runs = new LinkedHashMap<>();
  private final Map<String, String> claims = new HashMap<>();
  private final Map<String, String> latest = new HashMap<>();
  private final List<Manifest> closed = new ArrayList<>();
  private final Set<String> doubts = new HashSet<>();

  /** A run by its key; null while it is computed. */
  public record Entry(String epoch, String runKey, boolean dry, @Nullable Manifest manifest) {}

  /** The decision about a request. */
  public sealed interface Decision {
    /** No run has computed this; it is entered as being computed. */
    record Start() implements Decision {}

    /** It is being computed. */
    record Running() implements Decision {}

    record Known(Manifest manifest) implements Decision {}

    /** Another run has the epoch. */
    record OtherInputs(String runKey) implements Decision {}

    record Quarantined(Manifest manifest) implements Decision {}
  }

  public Decision ask(String epoch, String runKey, boolean dry) {
    Entry quarantined = runs.get(name(runKey, false));
    if (quarantined != null && isQuarantined(quarantined.manifest())) {
      return new Decision.Quarantined(java.util.Objects.requireNonNull(quarantined.manifest()));
    }
    Entry known = runs.get(name(runKey, dry));
    if (known != null) {
      Manifest manifest = known.manifest();
      return manifest == null
          ? new Decision.Running()
          : isQuarantined(manifest)
              ? new Decision.Quarantined(manifest)
              : new Decision.Known(manifest);
    }
    String claimed = claims.get(epoch);
    if (!dry && claimed != null && !claimed.equals(runKey)) {
      return new Decision.OtherInputs(claimed);
    }
    if (!dry) {
      claims.put(epoch, runKey);
    }
    runs.put(name(runKey, dry), new Entry(epoch, runKey, dry, null));
    return new Decision.Start();
  }

  /** A run that is done, or that was found on the disk. */
  public void done(boolean dry, Manifest manifest) {
    String epoch = manifest.epoch();
    String runKey = manifest.runKey();
    runs.put(name(runKey, dry), new Entry(epoch, runKey, dry, manifest));
    if (manifest.status() == RunStatus.CLOSED) {
      String other = claims.put(epoch, runKey);
      if (other != null && !other.equals(runKey)) {
        throw new IllegalStateException("epoch " + epoch + " is closed by two runs");
      }
      closed.add(manifest);
      doubts.remove(runKey);
    } else {
      claims.remove(epoch, dry ? "" : runKey);
    }
    latest.put(epoch, name(runKey, dry));
  }

  /** A run that failed; it may be requested again. */
  public void failed(String epoch, String runKey, boolean dry) {
    runs.remove(name(runKey, dry));
    if (!dry && !doubts.contains(runKey)) {
      claims.remove(epoch, runKey);
    }
  }

  /**
   * A closed run that has its name, but whose flush failed, so it may be lost. It may be requested
   * again; other inputs could close the epoch a second time, so the epoch stays claimed.
   */
  public void inDoubt(String runKey) {
    runs.remove(name(runKey, false));
    doubts.add(runKey);
  }

  /** The closed runs in the order in which they were closed, by number from 0. */
  public Optional<Manifest> closed(int number) {
    return number < closed.size() ? Optional.of(closed.get(number)) : Optional.empty();
  }

  /** The run that an epoch shows: the closed one, one that is computed, or the last otherwise. */
  public Optional<Entry> shown(String epoch) {
    String claimed = claims.get(epoch);
    if (claimed != null) {
      return Optional.ofNullable(runs.get(name(claimed, false)));
    }
    return Optional.ofNullable(latest.get(epoch)).map(runs::get);
  }

  public Optional<Entry> find(String runKey, boolean dry) {
    return Optional.ofNullable(runs.get(name(runKey, dry)));
  }

  public List<Entry> all() {
    return List.copyOf(runs.values());
  }

  private static boolean isQuarantined(@Nullable Manifest manifest) {
    return manifest != null && manifest.status() == RunStatus.QUARANTINED;
  }

  private static String name(String runKey, boolean dry) {
    return dry ? "dry-" + runKey : runKey;
  }
}
