package dev.ron.mailbox.sqs.attribute;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.RedriveAllowance;
import dev.ron.mailbox.core.queue.RedriveAllowance.Permission;
import dev.ron.mailbox.sqs.api.QueueAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which queues may name this one as their target, as the document that clients write.
 *
 * <p>Threading: stateless.
 */
final class RedriveAllowPolicy {
  private static final String NAME = "RedriveAllowPolicy";
  private static final int SOURCES_MAX = 10;

  private RedriveAllowPolicy() {}

  static RedriveAllowance read(String text, QueueAddress queue) throws Refusal {
    Map<String, @Nullable Object> members = RedrivePolicy.members(NAME, text);
    Permission permission =
        switch (String.valueOf(members.get("redrivePermission"))) {
          case "allowAll" -> Permission.ALLOW_ALL;
          case "denyAll" -> Permission.DENY_ALL;
          case "byQueue" -> Permission.BY_QUEUE;
          default ->
              throw RedrivePolicy.invalid(
                  NAME, text, "Redrive permission must be one of allowAll, denyAll, byQueue.");
        };
    List<String> sources = sources(text, members.get("sourceQueueArns"), queue);
    if ((permission == Permission.BY_QUEUE) == sources.isEmpty()) {
      throw RedrivePolicy.invalid(
          NAME, text, "sourceQueueArns must be given with byQueue, and only then.");
    }
    return new RedriveAllowance(permission, sources);
  }

  private static List<String> sources(String text, @Nullable Object arns, QueueAddress queue)
      throws Refusal {
    var sources = new ArrayList<String>();
    if (arns instanceof List<?> list) {
      if (list.size() > SOURCES_MAX) {
        throw RedrivePolicy.invalid(NAME, text, "sourceQueueArns can have up to 10 ARNs.");
      }
      for (Object arn : list) {
        sources.add(
            QueueAddress.ofArn(String.valueOf(arn), queue.home())
                .map(QueueAddress::topic)
                .orElseThrow(
                    () -> RedrivePolicy.invalid(NAME, text, "Invalid value in sourceQueueArns.")));
      }
    }
    return sources;
  }

  static String write(RedriveAllowance allowance, QueueAddress queue) {
    String permission =
        switch (allowance.permission()) {
          case ALLOW_ALL -> "allowAll";
          case DENY_ALL -> "denyAll";
          case BY_QUEUE -> "byQueue";
        };
    if (allowance.sources().isEmpty()) {
      return "{\"redrivePermission\":\"%s\"}".formatted(permission);
    }
    String arns =
        allowance.sources().stream()
            .map(topic -> QueueAddress.ofTopic(topic, queue.home()))
            .flatMap(address -> address.stream())
            .map(address -> "\"" + address.arn() + "\"")
            .collect(Collectors.joining(","));
    return "{\"redrivePermission\":\"%s\",\"sourceQueueArns\":[%s]}".formatted(permission, arns);
  }
}
