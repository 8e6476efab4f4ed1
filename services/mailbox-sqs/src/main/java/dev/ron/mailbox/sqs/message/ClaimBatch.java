package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Fault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.queue.QueueSettle;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The entries of a batch of deletes or changes of visibility: each is done or fails by itself.
 *
 * <p>Threading: owned by the request's thread.
 */
final class ClaimBatch {
  private final QueueAddress queue;
  private final Map<String, MessageClaim> claims = new LinkedHashMap<>();
  private final Map<String, Fault> failed = new LinkedHashMap<>();

  ClaimBatch(QueueAddress queue) {
    this.queue = queue;
  }

  /** Reads one entry. */
  interface Reader {
    MessageClaim read() throws Refusal, InterruptedException;
  }

  void add(String id, Reader reader) throws Refusal, InterruptedException {
    try {
      claims.put(id, reader.read());
    } catch (Refusal refusal) {
      failed.put(id, BatchEntries.ofEntry(refusal));
    }
  }

  /** The ids of those that were done; the others are among the failed afterwards. */
  List<String> run(SqsContext context) throws Refusal, InterruptedException {
    List<Map.Entry<String, MessageClaim>> entries = List.copyOf(claims.entrySet());
    List<QueueSettle> settles = claims.values().stream().map(MessageClaim::settle).toList();
    List<Outcome> outcomes = context.queues().settle(queue.topic(), settles);
    var done = new ArrayList<String>();
    for (int i = 0; i < entries.size(); i++) {
      String id = entries.get(i).getKey();
      try {
        Optional<SqsFault> fault = entries.get(i).getValue().fault(outcomes.get(i));
        if (fault.isEmpty()) {
          done.add(id);
        } else {
          failed.put(id, fault.get());
        }
      } catch (Refusal refusal) {
        failed.put(id, BatchEntries.ofEntry(refusal));
      }
    }
    return done;
  }

  /** The answer to the batch. */
  AnswerTree write(List<String> done) {
    var successful = new ArrayList<AnswerTree>();
    done.forEach(id -> successful.add(new AnswerTree().text("Id", id)));
    var refused = new ArrayList<AnswerTree>();
    failed.forEach((id, fault) -> refused.add(BatchEntries.failed(id, fault)));
    return new AnswerTree().trees("Successful", successful).trees("Failed", refused);
  }
}
