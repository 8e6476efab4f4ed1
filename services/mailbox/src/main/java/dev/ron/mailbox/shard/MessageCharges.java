package dev.ron.mailbox.shard;

import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.ReceiveResult;

/**
 * What a request pays for what its shard has done, at every door of the mailbox. A repetition, of a
 * send or of a settlement, costs nothing.
 *
 * <p>Threading: stateless; on the thread of the request.
 */
final class MessageCharges {
  private MessageCharges() {}

  static Outcome of(Command command, Outcome outcome) {
    switch (outcome) {
      case Outcome.Accepted(_, boolean duplicate) when !duplicate -> sent(command);
      case Outcome.Done(boolean repeated) when !repeated && settles(command) ->
          Payer.current().charge(Meter.Unit.MESSAGES_ACKNOWLEDGED, 1);
      default -> {}
    }
    return outcome;
  }

  private static void sent(Command command) {
    int bytes =
        switch (command) {
          case Command.Send send -> send.body().length;
          case QueueCommand.Put put -> put.body().length;
          default -> 0;
        };
    Payer payer = Payer.current();
    payer.charge(Meter.Unit.MESSAGES_SENT, 1);
    payer.charge(Meter.Unit.MESSAGE_BYTES, bytes);
  }

  private static boolean settles(Command command) {
    return command instanceof Command.Ack
        || (command instanceof QueueCommand.Settle settle
            && settle.visibilityMillis() == QueueCommand.Settle.DELETE);
  }

  static ReceiveResult of(ReceiveResult result) {
    if (result instanceof ReceiveResult.Messages(var envelopes)) {
      Payer.current().charge(Meter.Unit.MESSAGES_RECEIVED, envelopes.size());
    }
    return result;
  }
}
