package dev.ron.mailbox.sqs.attribute;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueCounts;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveAllowance;
import dev.ron.mailbox.core.queue.RedriveTarget;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one queue: those that mean something to the mailbox as settings, the others as
 * they were given.
 *
 * <p>Everything that was set is given back, since programs that manage queues ask until it is.
 *
 * <p>Threading: immutable.
 */
public record QueueAttributes(QueueSettings settings, Map<String, String> opaque) {
  private static final String PER_GROUP = "messageGroup";
  private static final String LIMIT_PER_GROUP = "perMessageGroupId";
  private static final String REUSE_DEFAULT = "300";

  /** As the model of the service that has these keys says. */
  private static final int KEY_ID_CHARS_MAX = 2048;

  public QueueAttributes {
    opaque = Map.copyOf(opaque);
  }

  /**
   * Of a queue that was told nothing; a request that names one of these asks for the same queue.
   */
  public static QueueAttributes defaults() {
    return new QueueAttributes(
        QueueSettings.DEFAULTS,
        Map.of(QueueAttribute.SQS_MANAGED_SSE_ENABLED.publicName(), "true"));
  }

  public static QueueAttributes of(QueueRecord record) {
    return new QueueAttributes(record.settings(), record.opaque());
  }

  /** The same with some changed; refuses a name or a value that AWS would. */
  public QueueAttributes with(Map<String, String> changes, QueueAddress queue) throws Refusal {
    var draft = new Draft(settings, new TreeMap<>(opaque));
    boolean managed = "true".equalsIgnoreCase(changes.get("SqsManagedSseEnabled"));
    if (managed && !changes.getOrDefault("KmsMasterKeyId", "").isEmpty()) {
      throw Refusal.of(
          new SqsFault.InvalidAttributeName(
              "You can use one type of server-side encryption (SSE) at one time. You can either"
                  + " enable KMS SSE or SQS SSE."));
    }
    for (Map.Entry<String, String> each : changes.entrySet()) {
      draft.set(attribute(each.getKey(), queue), each.getValue(), queue);
    }
    return new QueueAttributes(draft.settings(), draft.opaque);
  }

  private static QueueAttribute attribute(String name, QueueAddress queue) throws Refusal {
    QueueAttribute attribute =
        QueueAttribute.of(name)
            .filter(known -> known.kind() != QueueAttribute.Kind.READ_ONLY)
            .orElseThrow(() -> unknown(name));
    if (attribute.kind() == QueueAttribute.Kind.FIFO && !queue.fifo()) {
      throw switch (attribute) {
        case DEDUPLICATION_SCOPE, FIFO_THROUGHPUT_LIMIT ->
            Refusal.of(
                new SqsFault.InvalidAttributeName(
                    "You can specify the %s only when FifoQueue is set to true.".formatted(name)));
        default -> unknown(name);
      };
    }
    return attribute;
  }

  private static Refusal unknown(String name) {
    return Refusal.of(new SqsFault.InvalidAttributeName("Unknown Attribute " + name + "."));
  }

  /** What a request asks for, by name; refuses a name that is none. */
  public static Map<String, String> shown(
      QueueRecord record, QueueCounts counts, QueueAddress queue, Collection<String> names)
      throws Refusal {
    var all = all(record, counts, queue);
    var shown = new LinkedHashMap<String, String>();
    for (String name : names) {
      if (name.equals(QueueAttribute.ALL)) {
        all.forEach((each, value) -> shown.put(each.publicName(), value));
        continue;
      }
      QueueAttribute known = QueueAttribute.of(name).orElseThrow(() -> unknown(name));
      String value = all.get(known);
      if (value != null) {
        shown.put(name, value);
      }
    }
    return shown;
  }

  private static Map<QueueAttribute, String> all(
      QueueRecord record, QueueCounts counts, QueueAddress queue) {
    QueueSettings settings = record.settings();
    var all = new TreeMap<QueueAttribute, String>();
    all.put(QueueAttribute.DELAY_SECONDS, text(settings.delaySeconds()));
    all.put(QueueAttribute.MAXIMUM_MESSAGE_SIZE, text(settings.messageBytesMax()));
    all.put(QueueAttribute.MESSAGE_RETENTION_PERIOD, text(settings.retentionSeconds()));
    all.put(QueueAttribute.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, text(settings.receiveWaitSeconds()));
    all.put(QueueAttribute.VISIBILITY_TIMEOUT, text(settings.visibilitySeconds()));
    all.put(QueueAttribute.APPROXIMATE_NUMBER_OF_MESSAGES, text(counts.ready()));
    all.put(QueueAttribute.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED, text(counts.delayed()));
    all.put(QueueAttribute.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, text(counts.inFlight()));
    all.put(QueueAttribute.CREATED_TIMESTAMP, text(record.createdMillis() / 1000));
    all.put(QueueAttribute.LAST_MODIFIED_TIMESTAMP, text(record.changedMillis() / 1000));
    all.put(QueueAttribute.QUEUE_ARN, queue.arn());
    all.put(QueueAttribute.SQS_MANAGED_SSE_ENABLED, "true");
    RedriveTarget target = settings.redrive();
    if (target != null) {
      all.put(QueueAttribute.REDRIVE_POLICY, RedrivePolicy.write(target, queue));
    }
    if (!settings.redriveAllow().equals(RedriveAllowance.ANY)) {
      all.put(
          QueueAttribute.REDRIVE_ALLOW_POLICY,
          RedriveAllowPolicy.write(settings.redriveAllow(), queue));
    }
    if (queue.fifo()) {
      all.put(QueueAttribute.FIFO_QUEUE, "true");
      all.put(
          QueueAttribute.CONTENT_BASED_DEDUPLICATION, Boolean.toString(settings.contentDedup()));
      all.put(QueueAttribute.DEDUPLICATION_SCOPE, settings.dedupPerGroup() ? PER_GROUP : "queue");
      all.put(
          QueueAttribute.FIFO_THROUGHPUT_LIMIT,
          settings.throughputPerGroup() ? LIMIT_PER_GROUP : "perQueue");
    }
    record
        .opaque()
        .forEach((name, value) -> QueueAttribute.of(name).ifPresent(each -> all.put(each, value)));
    return all;
  }

  private static String text(long number) {
    return Long.toString(number);
  }

  /** Attributes while they are changed, one after the other. */
  private static final class Draft {
    private int delay;
    private int bytesMax;
    private int retention;
    private int wait;
    private int visibility;
    private @Nullable RedriveTarget redrive;
    private RedriveAllowance allow;
    private boolean contentDedup;
    private boolean perGroup;
    private boolean limitPerGroup;
    private final Map<String, String> opaque;

    Draft(QueueSettings settings, Map<String, String> opaque) {
      this.delay = settings.delaySeconds();
      this.bytesMax = settings.messageBytesMax();
      this.retention = settings.retentionSeconds();
      this.wait = settings.receiveWaitSeconds();
      this.visibility = settings.visibilitySeconds();
      this.redrive = settings.redrive();
      this.allow = settings.redriveAllow();
      this.contentDedup = settings.contentDedup();
      this.perGroup = settings.dedupPerGroup();
      this.limitPerGroup = settings.throughputPerGroup();
      this.opaque = opaque;
    }

    QueueSettings settings() {
      return new QueueSettings(
          delay,
          bytesMax,
          retention,
          wait,
          visibility,
          redrive,
          allow,
          contentDedup,
          perGroup,
          limitPerGroup);
    }

    void set(QueueAttribute name, String value, QueueAddress queue) throws Refusal {
      switch (name) {
        case DELAY_SECONDS -> delay = number(name, value);
        case MAXIMUM_MESSAGE_SIZE -> bytesMax = number(name, value);
        case MESSAGE_RETENTION_PERIOD -> retention = number(name, value);
        case RECEIVE_MESSAGE_WAIT_TIME_SECONDS -> wait = number(name, value);
        case VISIBILITY_TIMEOUT -> visibility = number(name, value);
        case REDRIVE_POLICY -> redrive = value.isEmpty() ? null : RedrivePolicy.read(value, queue);
        case REDRIVE_ALLOW_POLICY ->
            allow = value.isEmpty() ? RedriveAllowance.ANY : RedriveAllowPolicy.read(value, queue);
        case FIFO_QUEUE -> {
          if (!flag(name, value)) {
            throw Refusal.of(
                new SqsFault.InvalidAttributeValue(
                    "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not"
                        + " supported."));
          }
        }
        case CONTENT_BASED_DEDUPLICATION -> contentDedup = flag(name, value);
        case DEDUPLICATION_SCOPE -> perGroup = choice(name, value, "queue", PER_GROUP);
        case FIFO_THROUGHPUT_LIMIT ->
            limitPerGroup = choice(name, value, "perQueue", LIMIT_PER_GROUP);
        default -> setOpaque(name, value);
      }
    }

    private void setOpaque(QueueAttribute name, String value) throws Refusal {
      String key = name.publicName();
      switch (name) {
        case POLICY -> {
          if (!value.isEmpty()) {
            QueuePolicy.check(value);
          }
          put(key, value, "");
        }
        case KMS_MASTER_KEY_ID -> {
          if (value.length() > KEY_ID_CHARS_MAX) {
            throw wrong(name);
          }
          put(key, value, "");
          if (!value.isEmpty()) {
            opaque.put(QueueAttribute.SQS_MANAGED_SSE_ENABLED.publicName(), "false");
          }
        }
        case KMS_DATA_KEY_REUSE_PERIOD_SECONDS ->
            put(key, Integer.toString(number(name, value)), REUSE_DEFAULT);
        default -> opaque.put(key, Boolean.toString(flag(name, value)));
      }
    }

    /** What is set to its default is as if it were not set. */
    private void put(String key, String value, String usual) {
      if (value.equals(usual)) {
        opaque.remove(key);
      } else {
        opaque.put(key, value);
      }
    }

    private static int number(QueueAttribute name, String value) throws Refusal {
      return name.number(value).orElseThrow(() -> wrong(name));
    }

    private static boolean flag(QueueAttribute name, String value) throws Refusal {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "true" -> true;
        case "false" -> false;
        default -> throw wrong(name);
      };
    }

    private static boolean choice(QueueAttribute name, String value, String usual, String other)
        throws Refusal {
      if (!value.equals(usual) && !value.equals(other)) {
        throw wrong(name);
      }
      return value.equals(other);
    }

    private static Refusal wrong(QueueAttribute name) {
      return Refusal.of(
          new SqsFault.InvalidAttributeValue(
              "Invalid value for the parameter " + name.publicName() + "."));
    }
  }
}
