package dev.ron.mailbox.sqs;

import dev.ron.config.DoorAddress;
import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteSize;
import java.util.regex.Pattern;

/**
 * Everything the SQS door can be told. Where messages lie, and on how many machines, the mailbox's
 * own settings say.
 *
 * <p>Threading: immutable.
 *
 * @param enabled whether there is such a door
 * @param account whose queues a key has that names no tenant
 * @param region whose queues have the short addresses
 * @param anyKey whether every key is taken for good, unchecked
 * @param retryKeys whether a call that a client repeats by itself is known again
 * @param bodyMemory bodies of requests held at a time
 */
public record MailboxSqsConfig(
    boolean enabled,
    DoorAddress address,
    String account,
    String region,
    boolean anyKey,
    boolean retryKeys,
    int requests,
    ByteSize bodyMemory) {
  private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
  private static final Pattern REGION = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  public MailboxSqsConfig {
    if (!ACCOUNT.matcher(account).matches()) {
      throw new IllegalArgumentException("account = " + account + ", must be 12 digits");
    }
    if (!REGION.matcher(region).matches()) {
      throw new IllegalArgumentException(
          "region = " + region + ", must be a letter and up to 31 of a-z 0-9 -");
    }
  }

  /**
   * @param section {@code mailbox.sqs}
   */
  public static MailboxSqsConfig read(Section section, String bind) {
    return new MailboxSqsConfig(
        section.key("enabled", true).doc("Whether the mailbox has a door for SQS clients.").bool(),
        DoorAddress.read(section, bind, "SQS"),
        section
            .key("account", "000000000000")
            .doc("The account of keys that name no tenant, 12 digits.")
            .text(),
        section
            .key("region", "us-east-1")
            .doc("The region whose queues are /account/queue; others have theirs in the path.")
            .text(),
        section
            .key("any_key", false)
            .doc("Takes every key unchecked, for tests with made-up ones.")
            .hardened(WeakerValues.OTHER)
            .bool(),
        section
            .key("retry_keys", true)
            .doc("Knows a send again that an SDK repeats, by its invocation id.")
            .bool(),
        section
            .key("requests", 2048)
            .doc("Requests at a time, long polls included; more are told to come again.")
            .integer(1, 65_536),
        section
            .key("body_memory", "64MiB")
            .doc("Bodies of requests held in memory, all together; more are told to come again.")
            .size("16MiB", "1TiB"));
  }
}
