package dev.ron.storage.object;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStore;
import dev.ron.content.PutResult;
import dev.ron.kernel.disk.TimedDisk;
import dev.ron.storage.core.VolumeState;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A home with the store that keeps its copies, and what it can be asked for now.
 *
 * <p>A store whose directory was taken away goes on writing to files that no path leads to. So a
 * put is only good if the directory is still there afterwards.
 *
 * <p>Threading: thread-safe; the condition is a volatile that any thread may worsen and the
 * placement task alone betters.
 */
public final class Volume {
  private final String id;
  private final String label;
  private final ContentStore store;
  private final Supplier<Optional<String>> absence;
  private final @Nullable TimedDisk disk;
  private volatile Condition condition = Condition.GOOD;

  /** How a disk is, and so what it serves. */
  public enum State {
    GOOD(VolumeState.Service.READS_AND_WRITES),
    /** Less free space than it must have, or none. */
    FULL(VolumeState.Service.READS),
    /** Writes fail for another reason. */
    READ_ONLY(VolumeState.Service.READS),
    /** The disk does not answer; nothing is known of what is on it. */
    STALLED(VolumeState.Service.NOTHING),
    /** The directory is not there, or cannot be read. */
    GONE(VolumeState.Service.NOTHING);

    private final VolumeState.Service service;

    State(VolumeState.Service service) {
      this.service = service;
    }
  }

  /** What can be asked for, and why no more. */
  public record Condition(State state, String why) {
    public static final Condition GOOD = new Condition(State.GOOD, "");

    public VolumeState.Service service() {
      return state.service;
    }
  }

  /**
   * @param label what an operator calls it: the directory's path
   * @param absence why what is stored now would not be found again; empty if it would
   */
  public Volume(String id, String label, ContentStore store, Supplier<Optional<String>> absence) {
    this(id, label, store, absence, null);
  }

  Volume(DataDirectory home, ContentStore store) {
    this(home.id(), home.folder().toString(), store, home::absence, home.disk());
  }

  private Volume(
      String id,
      String label,
      ContentStore store,
      Supplier<Optional<String>> absence,
      @Nullable TimedDisk disk) {
    this.id = id;
    this.label = label;
    this.store = store;
    this.absence = absence;
    this.disk = disk;
  }

  public String id() {
    return id;
  }

  public String label() {
    return label;
  }

  public ContentStore store() {
    return store;
  }

  /**
   * Whether what makes room can be written: for that a full disk has what {@code free_min} leaves.
   */
  public boolean takesDeletes() {
    Condition now = condition();
    return now.state() == State.FULL || now.service() == VolumeState.Service.READS_AND_WRITES;
  }

  public VolumeState home() {
    return new VolumeState(id, condition().service());
  }

  /** As it was found last, but for a disk that does not answer: that one cannot be probed. */
  public Condition condition() {
    Condition found = condition;
    if (disk == null || disk.overdue() == 0 || found.state() == State.GONE) {
      return found;
    }
    return disk.stall().map(why -> new Condition(State.STALLED, why)).orElse(found);
  }

  /** How many threads wait for the disk longer than they may. */
  public int overdue() {
    return disk == null ? 0 : disk.overdue();
  }

  /** A volume that is gone stays gone: what was written since is in files that no path leads to. */
  public void condition(Condition now) {
    if (condition.state() != State.GONE) {
      condition = now;
    }
  }

  public Optional<String> absence() {
    return absence.get();
  }

  /** Like the store's put, and good only if the directory was there to the end. */
  public PutResult put(Address expected, InputStream in) throws IOException, InterruptedException {
    return checked(store.put(expected, in));
  }

  /** Like the store's, and good only if the directory was there to the end. */
  PutResult putAnew(Address expected, InputStream in) throws IOException, InterruptedException {
    return checked(store.putAnew(expected, in));
  }

  /** Like the store's put, and good only if the directory was there to the end. */
  public PutResult put(InputStream in) throws IOException, InterruptedException {
    return checked(store.put(in));
  }

  private PutResult checked(PutResult result) {
    if (result instanceof PutResult.Refused(ContentFault fault)) {
      noteWrite(fault);
      return result;
    }
    Optional<String> gone = absence.get();
    if (gone.isPresent()) {
      condition(new Condition(State.GONE, gone.get()));
      return new PutResult.Refused(new ContentFault.DiskFailed(gone.get()));
    }
    return result;
  }

  /** A write that failed says at once what a probe would find a second later. */
  private void noteWrite(ContentFault fault) {
    if (fault instanceof ContentFault.Full) {
      condition(new Condition(State.FULL, fault.detail()));
    } else if (fault instanceof ContentFault.ReadOnly) {
      condition(new Condition(State.READ_ONLY, fault.detail()));
    } else if (fault instanceof ContentFault.DiskFailed) {
      absence.get().ifPresent(gone -> condition(new Condition(State.GONE, gone)));
    }
  }

  @Override
  public String toString() {
    return label;
  }
}
