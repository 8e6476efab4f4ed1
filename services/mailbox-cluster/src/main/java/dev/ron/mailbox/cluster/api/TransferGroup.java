package dev.ron.mailbox.cluster.api;

import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.cluster.ReplicatedShards;
import java.io.IOException;

/**
 * {@code POST /v1/cluster/transfer}: hands the leadership of a group over to a machine.
 *
 * <p>Threading: immutable.
 */
record TransferGroup(MailboxContext context, ReplicatedShards cluster)
    implements GroupChange<TransferGroup.Request> {
  static final Form FORM =
      MailboxContext.form(
          Field.number("group", 0, Integer.MAX_VALUE).optional().example(0),
          Field.text("node").example("b"));

  record Request(int group, String node) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    requireOperator(exchange);
    Fields form = context.form(exchange, FORM);
    int group = (int) form.number("group", 0);
    int last = cluster.status().size() - 1;
    if (group > last) {
      throw form.wrong("group", "must be a whole number from 0 to " + last);
    }
    return new Request(group, form.text("node"));
  }

  @Override
  public void change(Request request) throws IOException {
    cluster.transfer(request.group(), request.node());
  }
}
