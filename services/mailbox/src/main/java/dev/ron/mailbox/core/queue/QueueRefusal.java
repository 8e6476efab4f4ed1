package dev.ron.mailbox.core.queue;

/** Why something about a queue is refused; the name crosses the wire between machines. */
public enum QueueRefusal {
  /** There is such a queue with another value of the attribute that the detail names. */
  NAME_TAKEN,
  /** A queue of this name was deleted less than a minute ago. */
  DELETED_RECENTLY,
  /** It was purged less than a minute ago. */
  PURGED_RECENTLY,
  /** Another request changed the queue meanwhile. */
  CHANGED_SINCE,
  /** So many messages are in flight as a standard queue lets out. */
  TOO_MANY_IN_FLIGHT,
  /** The lease would last longer than twelve hours from its receive. */
  VISIBILITY_TOO_LONG,
  /** No queue names this one as the target of its dead letters. */
  NOT_A_TARGET,
  /** The queue that messages are to be moved to does not exist. */
  NO_DESTINATION,
  /** A move from this queue is under way. */
  MOVE_RUNNING,
  /** No such move is under way. */
  NO_MOVE
}
