package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import dev.ron.mailbox.sqs.protocol.SqsErrorFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The entries of a batch by their ids: one to ten, no id twice.
 *
 * <p>Threading: stateless.
 */
final class BatchEntries {
  static final int MAX = 10;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,80}");

  private BatchEntries() {}

  /**
   * @param shape what an entry is called, for the refusal of a batch without any
   */
  static Map<String, RequestTree> of(SqsCall call, String shape) throws Refusal {
    List<RequestTree> entries = call.tree().entries();
    if (entries.isEmpty()) {
      throw Refusal.of(new SqsFault.EmptyBatchRequest(shape));
    }
    if (entries.size() > MAX) {
      throw Refusal.of(new SqsFault.TooManyEntriesInBatchRequest(MAX, entries.size()));
    }
    var byId = new LinkedHashMap<String, RequestTree>();
    for (RequestTree entry : entries) {
      String id = entry.text("Id").orElse("");
      if (!ID.matcher(id).matches()) {
        throw Refusal.of(new SqsFault.InvalidBatchEntryId());
      }
      if (byId.put(id, entry) != null) {
        throw Refusal.of(new SqsFault.BatchEntryIdsNotDistinct(id));
      }
    }
    return byId;
  }

  /** Why an entry failed; without its queue all of a batch fails. */
  static Fault ofEntry(Refusal refusal) throws Refusal {
    if (SqsErrorFormat.fault(refusal.fault()) instanceof SqsFault.QueueDoesNotExist) {
      throw refusal;
    }
    return refusal.fault();
  }

  /** An entry that failed, as the answer shows it. */
  static AnswerTree failed(String id, Fault why) {
    SqsFault fault = SqsErrorFormat.fault(why);
    return new AnswerTree()
        .text("Id", id)
        .flag("SenderFault", fault.blame() == Blame.CALLER)
        .text("Code", fault.queryCode())
        .text("Message", fault.detail());
  }
}
