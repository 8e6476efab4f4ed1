package dev.ron.mailbox.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a queue can be told, with the limits of the public interface.
 *
 * <p>Threading: immutable.
 *
 * @param delaySeconds before a message is ready, if its sender says nothing else
 * @param messageBytesMax body and attributes together
 * @param retentionSeconds a message of this age vanishes
 * @param receiveWaitSeconds how long a receive waits that does not say
 * @param visibilitySeconds how long a lease lasts if its receive does not say
 * @param redrive null: a message is received as often as it takes
 * @param contentDedup the body's hash stands for a deduplication id that is not given
 * @param dedupPerGroup deduplication ids count within a group, not within the queue
 * @param throughputPerGroup kept and given back; there is no such limit here
 */
public record QueueSettings(
    int delaySeconds,
    int messageBytesMax,
    int retentionSeconds,
    int receiveWaitSeconds,
    int visibilitySeconds,
    @Nullable RedriveTarget redrive,
    RedriveAllowance redriveAllow,
    boolean contentDedup,
    boolean dedupPerGroup,
    boolean throughputPerGroup) {
  public static final int MESSAGE_BYTES_MAX = 1 << 20;
  public static final int VISIBILITY_SECONDS_MAX = 43_200;

  /** What a queue has that was told nothing. */
  public static final QueueSettings DEFAULTS =
      new QueueSettings(
          0, MESSAGE_BYTES_MAX, 345_600, 0, 30, null, RedriveAllowance.ANY, false, false, false);

  public QueueSettings {
    within("DelaySeconds", delaySeconds, 0, 900);
    within("MaximumMessageSize", messageBytesMax, 1024, MESSAGE_BYTES_MAX);
    within("MessageRetentionPeriod", retentionSeconds, 60, 1_209_600);
    within("ReceiveMessageWaitTimeSeconds", receiveWaitSeconds, 0, 20);
    within("VisibilityTimeout", visibilitySeconds, 0, VISIBILITY_SECONDS_MAX);
  }

  private static void within(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s = %d, must be %d to %d".formatted(name, value, min, max));
    }
  }

  /** The public names of the attributes in which the two differ. */
  List<String> differences(QueueSettings other) {
    var names = new ArrayList<String>();
    differ("DelaySeconds", delaySeconds, other.delaySeconds, names);
    differ("MaximumMessageSize", messageBytesMax, other.messageBytesMax, names);
    differ("MessageRetentionPeriod", retentionSeconds, other.retentionSeconds, names);
    differ("ReceiveMessageWaitTimeSeconds", receiveWaitSeconds, other.receiveWaitSeconds, names);
    differ("VisibilityTimeout", visibilitySeconds, other.visibilitySeconds, names);
    differ("RedrivePolicy", redrive, other.redrive, names);
    differ("RedriveAllowPolicy", redriveAllow, other.redriveAllow, names);
    differ("ContentBasedDeduplication", contentDedup, other.contentDedup, names);
    differ("DeduplicationScope", dedupPerGroup, other.dedupPerGroup, names);
    differ("FifoThroughputLimit", throughputPerGroup, other.throughputPerGroup, names);
    return names;
  }

  private static void differ(
      String name, @Nullable Object one, @Nullable Object other, List<String> names) {
    if (!Objects.equals(one, other)) {
      names.add(name);
    }
  }
}
