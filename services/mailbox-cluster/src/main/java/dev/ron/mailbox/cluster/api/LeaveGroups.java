package dev.ron.mailbox.cluster.api;

import dev.ron.http.json.Field;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.cluster.ReplicatedShards;
import java.io.IOException;

/**
 * {@code POST /v1/cluster/leave}: lets a machine go from every group; the request is its name.
 *
 * <p>Threading: immutable.
 */
record LeaveGroups(MailboxContext context, ReplicatedShards cluster)
    implements GroupChange<String> {
  static final Form FORM = MailboxContext.form(Field.text("node").example("d"));

  @Override
  public String parse(Exchange exchange) throws IOException {
    requireOperator(exchange);
    return context.form(exchange, FORM).text("node");
  }

  @Override
  public void change(String node) throws IOException, InterruptedException {
    cluster.leave(node);
  }
}
