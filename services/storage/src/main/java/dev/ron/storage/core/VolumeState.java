package dev.ron.storage.core;

/**
 * A place that can hold one copy of an object, and that fails by itself: a data directory today, a
 * node as well once there are several.
 *
 * <p>Threading: immutable.
 *
 * @param id stays with the bytes: a directory keeps it when it is mounted elsewhere
 */
public record VolumeState(String id, Service service) {
  /** What a home can be asked for now. Each does less than the one before. */
  public enum Service {
    READS_AND_WRITES,
    READS,
    NOTHING
  }

  public VolumeState {
    if (id.isBlank()) {
      throw new IllegalArgumentException("a home without an id");
    }
  }

  public boolean takesWrites() {
    return service == Service.READS_AND_WRITES;
  }

  public boolean takesReads() {
    return service != Service.NOTHING;
  }
}
