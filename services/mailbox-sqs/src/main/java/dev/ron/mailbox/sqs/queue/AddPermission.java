package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueuePolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes a permission into the policy of a queue; it is kept, and not enforced.
 *
 * <p>Threading: immutable.
 */
public record AddPermission(SqsContext context) implements SilentAction<AddPermission.Request> {
  private static final int ACTIONS_MAX = 7;
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_-]{1,80}");
  private static final Set<String> ACTIONS =
      Set.of(
          "*",
          "ChangeMessageVisibility",
          "DeleteMessage",
          "GetQueueAttributes",
          "GetQueueUrl",
          "ListDeadLetterSourceQueues",
          "PurgeQueue",
          "ReceiveMessage",
          "SendMessage");

  public record Request(
      QueueAddress queue, String label, List<String> accounts, List<String> actions) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("queues");
    String label = call.tree().required("Label");
    List<String> accounts = some(call, "AWSAccountIds", "AWSAccountId");
    List<String> actions = some(call, "Actions", "ActionName");
    if (!LABEL.matcher(label).matches()) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "Value %s for parameter Label is invalid. Reason: Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length."
                  .formatted(label)));
    }
    if (actions.size() > ACTIONS_MAX) {
      throw Refusal.of(
          new SqsFault.OverLimit(
              "%d Actions were found, maximum allowed is %d."
                  .formatted(actions.size(), ACTIONS_MAX)));
    }
    for (String account : accounts) {
      if (!QueueAddress.isAccount(account)) {
        throw Refusal.of(
            new SqsFault.InvalidParameterValue(
                "Value [%s] for parameter PrincipalId is invalid. Reason: Unable to verify."
                    .formatted(account)));
      }
    }
    for (String action : actions) {
      if (!ACTIONS.contains(action)) {
        throw Refusal.of(
            new SqsFault.InvalidParameterValue(
                "Value SQS:%s for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action."
                    .formatted(action)));
      }
    }
    return new Request(queue, label, accounts, actions);
  }

  private static List<String> some(SqsCall call, String name, String shown) throws Refusal {
    List<String> values = call.tree().texts(name);
    if (values.isEmpty()) {
      throw Refusal.of(new SqsFault.MissingParameter(shown));
    }
    return values;
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    QueueChange.run(
        context,
        request.queue(),
        record -> {
          var opaque = new LinkedHashMap<>(record.opaque());
          String policy = opaque.getOrDefault(QueuePolicy.NAME, "");
          opaque.put(
              QueuePolicy.NAME,
              QueuePolicy.with(
                  policy, request.queue(), request.label(), request.accounts(), request.actions()));
          return record.withOpaque(opaque);
        });
    return new Done();
  }
}
