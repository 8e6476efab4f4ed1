package dev.ron.storage.s3.names;

import dev.ron.journal.AppendResult;
import dev.ron.journal.FlushPosition;
import dev.ron.journal.Journal;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.s3.S3Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The only one that changes names: a command goes to the log, is decided and applied when the disk
 * has it, and is answered last.
 *
 * <p>Decisions are made from the log alone, in its order. So after a crash, or on another machine,
 * the same log leads to the same rows.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class NameLoop implements Task {
  /** So many in one step; then the disk's answers are given before more is taken. */
  private static final int COMMANDS_MAX = 256;

  private final Channel<NameRequest> inbox;
  private final Journal journal;
  private final NameApplier applier;
  private final ArrayDeque<Logged> logged = new ArrayDeque<>();
  private boolean recovered;

  private record Logged(long position, NameRequest request) {}

  NameLoop(Channel<NameRequest> inbox, Journal journal, NameApplier applier) {
    this.inbox = inbox;
    this.journal = journal;
    this.applier = applier;
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (!recovered) {
      recover();
    }
    Watch.Version<FlushPosition> seen = journal.flushed().latest();
    applyFlushed(seen.value());
    List<NameRequest> taken = inbox.receiveBatch(COMMANDS_MAX);
    if (!taken.isEmpty()) {
      append(taken);
      return Next.again();
    }
    List<Inbox> inboxes =
        logged.isEmpty() ? List.of(inbox) : List.of(inbox, journal.flushed().after(seen));
    return new Next.Await(inboxes, Instant.MAX);
  }

  /** A loop before this one may have left commands in the log that it did not apply. */
  void recover() throws IOException {
    catchUp(Long.MAX_VALUE);
    applier.bringIn();
    recovered = true;
  }

  /** Decides what the log has before that position and was not decided yet. */
  private void catchUp(long before) throws IOException {
    journal.replay(
        applier.decided() + 1,
        (position, payload) -> {
          if (position < before) {
            byte[] bytes = new byte[payload.remaining()];
            payload.get(bytes);
            applier.decide(NameCommandCodec.command(bytes), position);
          }
        });
  }

  private void append(List<NameRequest> requests) {
    requests.forEach(each -> each.reply().begin());
    var records = new ArrayList<ByteBuffer>(requests.size());
    requests.forEach(each -> records.add(ByteBuffer.wrap(NameCommandCodec.bytes(each.command()))));
    switch (journal.append(records)) {
      case AppendResult.Taken(long first, _) -> {
        for (int i = 0; i < requests.size(); i++) {
          logged.add(new Logged(first + i, requests.get(i)));
        }
      }
      case AppendResult.Refused(var fault) ->
          requests.forEach(each -> each.refuse(new S3Fault.SlowDown(fault.detail(), S3Fault.REST)));
    }
  }

  private void applyFlushed(FlushPosition flushed) throws IOException {
    var answers = new ArrayList<Runnable>();
    for (Logged next = logged.peek();
        next != null && next.position() < flushed.position();
        next = logged.peek()) {
      NameRequest request = next.request();
      if (next.position() > applier.decided() + 1) {
        // The loop before this one failed when these were in the log and not yet on the disk.
        catchUp(next.position());
      }
      NameOutcome outcome = applier.decide(request.command(), next.position());
      logged.remove();
      answers.add(() -> request.answer(outcome));
    }
    applier.bringIn();
    answers.forEach(Runnable::run);
    if (flushed.fault().isPresent()) {
      logged.forEach(each -> each.request().lose());
      logged.clear();
    }
  }
}
