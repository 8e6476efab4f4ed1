package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.queue.QueueSend;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sends up to ten messages; each is taken or refused by itself.
 *
 * <p>Threading: immutable.
 */
public record SendMessageBatch(SqsContext context)
    implements SqsAction<SendMessageBatch.Request, SendMessageBatch.Reply> {
  /**
   * @param failed entries that are refused already
   */
  public record Request(
      QueueAddress queue,
      List<OutgoingMessage> messages,
      List<QueueSend> sends,
      List<AnswerTree> failed) {}

  public record Reply(List<AnswerTree> successful, List<AnswerTree> failed) {}

  @Override
  public Request parse(SqsCall call) throws Exception {
    QueueAddress address = call.queue("send");
    Map<String, RequestTree> entries = BatchEntries.of(call, "SendMessageBatchRequestEntry");
    QueueRecord known = call.known(address);
    var messages = new ArrayList<OutgoingMessage>();
    var failed = new ArrayList<AnswerTree>();
    long bytes = 0;
    for (Map.Entry<String, RequestTree> each : entries.entrySet()) {
      try {
        OutgoingMessage message = OutgoingMessage.parse(call, each.getValue(), each.getKey());
        bytes += message.bytes();
        messages.add(message);
      } catch (Refusal refusal) {
        failed.add(BatchEntries.failed(each.getKey(), refusal.fault()));
      }
    }
    if (bytes > OutgoingMessage.BYTES_MAX) {
      throw Refusal.of(new SqsFault.BatchRequestTooLong(OutgoingMessage.BYTES_MAX, bytes));
    }
    QueueRecord queue = OutgoingMessage.queue(call, address, known, messages);
    for (OutgoingMessage message : messages) {
      message.check(queue);
    }
    var fitting = new ArrayList<OutgoingMessage>();
    var sends = new ArrayList<QueueSend>();
    for (OutgoingMessage message : messages) {
      try {
        message.checkSize(queue);
        fitting.add(message);
        sends.add(message.send(call, queue));
      } catch (Refusal refusal) {
        failed.add(BatchEntries.failed(message.entry(), refusal.fault()));
      }
    }
    return new Request(address, fitting, sends, failed);
  }

  @Override
  public Reply handle(Request request) throws Exception {
    var successful = new ArrayList<AnswerTree>();
    var failed = new ArrayList<>(request.failed());
    List<Outcome> outcomes = context.queues().send(request.queue().topic(), request.sends());
    for (int i = 0; i < outcomes.size(); i++) {
      OutgoingMessage message = request.messages().get(i);
      try {
        successful.add(message.write(OutgoingMessage.taken(outcomes.get(i)), request.queue()));
      } catch (Refusal refusal) {
        failed.add(BatchEntries.failed(message.entry(), BatchEntries.ofEntry(refusal)));
      }
    }
    context.metrics().sent().inc(successful.size());
    return new Reply(successful, failed);
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree().trees("Successful", reply.successful()).trees("Failed", reply.failed());
  }
}
