package dev.ron.mailbox.sqs.api;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who signed a request, and whose queues it means.
 *
 * <p>Threading: immutable.
 *
 * @param capability what the key stands for; null where every key is taken
 * @param account 12 digits
 */
public record SqsCaller(@Nullable Capability capability, String account) {
  /** A capability for the mailbox opens this door too; one for {@code sqs} opens no other. */
  private static final List<String> SERVICES = List.of("mailbox", "sqs");

  /**
   * The holder of a capability: its tenant has an account of its own.
   *
   * @param otherwise the account of capabilities that name no tenant
   */
  static SqsCaller holder(Capability capability, String otherwise) {
    return new SqsCaller(
        capability, capability.tenant().map(QueueTopic::accountOf).orElse(otherwise));
  }

  /** Any key; one that is an account number names that account. */
  static SqsCaller unchecked(String accessKeyId, String otherwise) {
    boolean number = accessKeyId.length() == 12 && accessKeyId.chars().allMatch(c -> isDigit(c));
    return new SqsCaller(null, number ? accessKeyId : otherwise);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Whether queues of other accounts are open to it, as far as its capability goes. */
  boolean isOperator() {
    return capability == null || capability.tenant().isEmpty();
  }

  /** Whether it may do something to a queue. */
  boolean may(String op, String topic, Instant now) {
    return capability == null
        || SERVICES.stream()
            .map(service -> AccessRequest.of(service, op, now))
            .map(ask -> ask.onPath(topic))
            .anyMatch(ask -> capability.verdict(ask) instanceof AccessDecision.Granted);
  }

  /** Whether it may do so to some queue; which one is asked about later. */
  boolean mayBeforehand(String op, Instant now) {
    return capability == null
        || SERVICES.stream()
            .map(service -> AccessRequest.of(service, op, now))
            .anyMatch(ask -> capability.verdictBeforehand(ask) instanceof AccessDecision.Granted);
  }
}
