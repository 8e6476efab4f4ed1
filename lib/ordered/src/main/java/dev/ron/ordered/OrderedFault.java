package dev.ron.ordered;

import static dev.ron.kernel.fault.Said.NO_STATUS;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;

/**
 * What an ordered store can refuse or find wrong, in order of precedence.
 *
 * <p>Without a status: a service answers with a fault of its own.
 */
public sealed interface OrderedFault extends Fault {
  /**
   * A change could not be kept, so no later one is taken: it would leave a hole.
   *
   * @param cause as it was said when it happened
   */
  record Sealed(String store, String cause) implements OrderedFault {}

  /** Bytes on the disk are not what was written. The rows must be made again, from another copy. */
  record CorruptRows(String store, String why) implements OrderedFault {}

  /** The disk, or the room that a store in memory may take, is full. */
  record Full(String store, String why) implements OrderedFault {}

  /** Reading or writing failed for another reason. */
  record Failed(String store, String why) implements OrderedFault {}

  /** Too many cursors are open. */
  record Busy(String store, int cursorsMax, Duration rest) implements OrderedFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Sealed(var store, var cause) ->
          us(
              NO_STATUS,
              "ordered-sealed",
              "%s takes no changes since one failed (%s); reads go on, a restart tries again"
                  .formatted(store, cause));
      case CorruptRows(var store, var why) ->
          us(NO_STATUS, "ordered-corrupt", "rows of %s are corrupt: %s".formatted(store, why));
      case Full(var store, var why) ->
          us(NO_STATUS, "ordered-full", "%s has no room: %s".formatted(store, why));
      case Failed(var store, var why) ->
          us(NO_STATUS, "ordered-failed", "%s failed: %s".formatted(store, why));
      case Busy(var store, var cursorsMax, var rest) ->
          us(NO_STATUS, "busy", "%s has %d cursors open".formatted(store, cursorsMax)).after(rest);
    };
  }
}
