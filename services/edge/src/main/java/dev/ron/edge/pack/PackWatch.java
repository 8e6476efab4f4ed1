package dev.ron.edge.pack;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks at the places of packs and tells the verifier what came, changed or went.
 *
 * <p>Looks again and again instead of waiting for the system's notices, which do not come from
 * network and overlay file systems. After the first look a file is sent only when two looks saw it
 * the same, so that one that is still being copied is not called broken.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class PackWatch implements Task {
  private final PackFolders folders;
  private final Channel<PackJob> jobs;
  private final Duration every;
  private final Map<String, PackFile> sent = new HashMap<>();
  private Map<String, PackFile> seen = new TreeMap<>();
  private boolean looked;

  public PackWatch(PackFolders folders, Channel<PackJob> jobs, Duration every) {
    this.folders = folders;
    this.jobs = jobs;
    this.every = every;
  }

  @Override
  public Next run(Instant now) throws IOException {
    Map<String, PackFile> found = folders.look();
    boolean all = true;
    for (PackFile file : found.values()) {
      boolean settled = !looked || file.equals(seen.get(file.name()));
      if (settled && !file.equals(sent.get(file.name()))) {
        all &= send(new PackJob.Verify(file), file);
      }
    }
    for (PackFile gone : sent.values().toArray(PackFile[]::new)) {
      if (!found.containsKey(gone.name())
          && jobs.trySend(new PackJob.Remove(gone.name(), gone.path()))
              instanceof SendResult.Sent) {
        sent.remove(gone.name());
      }
    }
    if (!looked && all) {
      looked = jobs.trySend(new PackJob.ScanEnded()) instanceof SendResult.Sent;
    }
    seen = found;
    return Next.at(now.plus(every));
  }

  /** A full channel is tried again at the next look. */
  private boolean send(PackJob job, PackFile file) {
    boolean went = jobs.trySend(job) instanceof SendResult.Sent;
    if (went) {
      sent.put(file.name(), file);
    }
    return went;
  }
}
