package dev.ron.edge.pack;

import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeEvent;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.tilepack.DirectoryCache;

/**
 * The wiring of packs: a shelf, the verifier that fills it, and the watch that tells it what to
 * read.
 *
 * <p>Threading: immutable; what it holds is thread-safe.
 */
public final class PackTasks {
  /** Packs that wait for the verifier; the watch tries the others again at its next look. */
  private static final int JOBS = 64;

  /** Leaf directories of all packs that are kept at hand. */
  private static final long DIRECTORY_BYTES = 32 << 20;

  private final EdgeConfig config;
  private final Scope scope;
  private final Broadcast<EdgeEvent> events;
  private final MountedPacks shelf = new MountedPacks();
  private final DirectoryCache directories = new DirectoryCache(DIRECTORY_BYTES);
  private final Channel<PackJob> jobs;

  public PackTasks(EdgeConfig config, Scope scope, Broadcast<EdgeEvent> events) {
    this.config = config;
    this.scope = scope;
    this.events = events;
    this.jobs = Channel.bounded(scope, "packs", JOBS, Overflow.REJECT_NEW);
    scope.readiness().derived("packs", shelf::trouble);
  }

  public MountedPacks shelf() {
    return shelf;
  }

  public Supervisor into(Supervisor tree) {
    return tree.child("pack-verifier", Restart.ALWAYS, this::verifier)
        .child(
            "pack-watch",
            Restart.ALWAYS,
            () -> new PackWatch(new PackFolders(config.packs()), jobs, config.packPoll()));
  }

  private PackVerifier verifier() {
    return new PackVerifier(shelf, jobs, directories, events, scope.world().log(), config.sample());
  }
}
