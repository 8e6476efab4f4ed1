package dev.ron.mailbox.sqs;

import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.message.ChangeMessageVisibility;
import dev.ron.mailbox.sqs.message.ChangeMessageVisibilityBatch;
import dev.ron.mailbox.sqs.message.DeleteMessage;
import dev.ron.mailbox.sqs.message.DeleteMessageBatch;
import dev.ron.mailbox.sqs.message.ReceiveMessage;
import dev.ron.mailbox.sqs.message.SendMessage;
import dev.ron.mailbox.sqs.message.SendMessageBatch;
import dev.ron.mailbox.sqs.queue.AddPermission;
import dev.ron.mailbox.sqs.queue.CreateQueue;
import dev.ron.mailbox.sqs.queue.DeleteQueue;
import dev.ron.mailbox.sqs.queue.GetQueueAttributes;
import dev.ron.mailbox.sqs.queue.GetQueueUrl;
import dev.ron.mailbox.sqs.queue.ListDeadLetterSourceQueues;
import dev.ron.mailbox.sqs.queue.ListQueueTags;
import dev.ron.mailbox.sqs.queue.ListQueues;
import dev.ron.mailbox.sqs.queue.PurgeQueue;
import dev.ron.mailbox.sqs.queue.RemovePermission;
import dev.ron.mailbox.sqs.queue.SetQueueAttributes;
import dev.ron.mailbox.sqs.queue.TagQueue;
import dev.ron.mailbox.sqs.queue.UntagQueue;
import dev.ron.mailbox.sqs.redrive.CancelMessageMoveTask;
import dev.ron.mailbox.sqs.redrive.ListMessageMoveTasks;
import dev.ron.mailbox.sqs.redrive.StartMessageMoveTask;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every action of the door, one line each, by the name that clients ask for.
 *
 * <p>Threading: stateless.
 */
final class SqsActionTable {
  private SqsActionTable() {}

  static Map<String, SqsAction<?, ?>> of(SqsContext context) {
    var actions = new LinkedHashMap<String, SqsAction<?, ?>>();
    actions.put("AddPermission", new AddPermission(context));
    actions.put("CancelMessageMoveTask", new CancelMessageMoveTask(context));
    actions.put("ChangeMessageVisibility", new ChangeMessageVisibility(context));
    actions.put("ChangeMessageVisibilityBatch", new ChangeMessageVisibilityBatch(context));
    actions.put("CreateQueue", new CreateQueue(context));
    actions.put("DeleteMessage", new DeleteMessage(context));
    actions.put("DeleteMessageBatch", new DeleteMessageBatch(context));
    actions.put("DeleteQueue", new DeleteQueue(context));
    actions.put("GetQueueAttributes", new GetQueueAttributes(context));
    actions.put("GetQueueUrl", new GetQueueUrl(context));
    actions.put("ListDeadLetterSourceQueues", new ListDeadLetterSourceQueues(context));
    actions.put("ListMessageMoveTasks", new ListMessageMoveTasks(context));
    actions.put("ListQueueTags", new ListQueueTags(context));
    actions.put("ListQueues", new ListQueues(context));
    actions.put("PurgeQueue", new PurgeQueue(context));
    actions.put("ReceiveMessage", new ReceiveMessage(context));
    actions.put("RemovePermission", new RemovePermission(context));
    actions.put("SendMessage", new SendMessage(context));
    actions.put("SendMessageBatch", new SendMessageBatch(context));
    actions.put("SetQueueAttributes", new SetQueueAttributes(context));
    actions.put("StartMessageMoveTask", new StartMessageMoveTask(context));
    actions.put("TagQueue", new TagQueue(context));
    actions.put("UntagQueue", new UntagQueue(context));
    return actions;
  }
}
