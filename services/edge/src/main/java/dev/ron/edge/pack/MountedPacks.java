package dev.ron.edge.pack;

import dev.ron.tilepack.PackFault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The packs that are served now, by name.
 *
 * <p>Threading: readers see one whole state; the pack verifier alone changes it.
 */
public final class MountedPacks {
  /**
   * A request may have found a pack and not yet begun to read it; so long an old one stays open.
   * Longer than a request's own deadline.
   */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private volatile State state = new State(new TreeMap<>(), new TreeMap<>(), null, false);
  private final Deque<RetiredPack> retired = new ArrayDeque<>();

  /**
   * One state of the mounted packs; its maps are never changed.
   *
   * @param looked whether every pack of the first look has its verdict
   */
  private record State(
      TreeMap<String, MountedPack> packs,
      TreeMap<Path, PackFault> refused,
      @Nullable MountedPack sample,
      boolean looked) {}

  private record RetiredPack(MountedPack pack, Instant since) {}

  /** The sample is there as long as nothing else is. */
  public Optional<MountedPack> find(String name) {
    State now = state;
    MountedPack pack = now.packs.get(name);
    if (pack == null && now.packs.isEmpty() && now.sample != null) {
      pack = now.sample.name().equals(name) ? now.sample : null;
    }
    return Optional.ofNullable(pack);
  }

  public SortedMap<String, MountedPack> all() {
    State now = state;
    var all = new TreeMap<>(now.packs);
    if (all.isEmpty() && now.sample != null) {
      all.put(now.sample.name(), now.sample);
    }
    return all;
  }

  public SortedMap<Path, PackFault> refused() {
    return new TreeMap<>(state.refused);
  }

  /** Why the edge is not ready on account of its packs. */
  public Optional<String> trouble() {
    State now = state;
    if (!now.refused.isEmpty()) {
      return Optional.of(
          now.refused.entrySet().stream()
              .map(entry -> entry.getKey().getFileName() + ": " + entry.getValue().detail())
              .collect(Collectors.joining("; ")));
    }
    return now.looked ? Optional.empty() : Optional.of("packs are being verified");
  }

  // ---- by the pack verifier

  public void mount(MountedPack pack, Path file, Instant now) {
    var packs = new TreeMap<>(state.packs);
    MountedPack old = packs.put(pack.name(), pack);
    var refused = new TreeMap<>(state.refused);
    refused.remove(file);
    state = new State(packs, refused, state.sample, state.looked);
    retire(old, now);
  }

  /** What is mounted under its name stays: an old map is better than none. */
  public void refuse(Path file, PackFault fault) {
    var refused = new TreeMap<>(state.refused);
    refused.put(file, fault);
    state = new State(state.packs, refused, state.sample, state.looked);
  }

  public void remove(String name, Path file, Instant now) {
    var packs = new TreeMap<>(state.packs);
    MountedPack old = packs.remove(name);
    var refused = new TreeMap<>(state.refused);
    refused.remove(file);
    state = new State(packs, refused, state.sample, state.looked);
    retire(old, now);
  }

  public void sample(MountedPack pack) {
    state = new State(state.packs, state.refused, pack, state.looked);
  }

  public void scanned() {
    state = new State(state.packs, state.refused, state.sample, true);
  }

  private void retire(@Nullable MountedPack old, Instant now) {
    if (old != null) {
      retired.add(new RetiredPack(old, now));
    }
  }

  /** Closes what was taken away long enough ago; a request that still reads keeps it open. */
  public Optional<Instant> sweep(Instant now) {
    while (!retired.isEmpty() && !now.isBefore(retired.getFirst().since().plus(GRACE))) {
      retired.removeFirst().pack().leave();
    }
    return retired.isEmpty()
        ? Optional.empty()
        : Optional.of(retired.getFirst().since().plus(GRACE));
  }
}
