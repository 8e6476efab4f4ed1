package dev.ron.mailbox.cluster.api;

import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.cluster.ReplicatedShards;
import java.io.IOException;

/**
 * {@code POST /v1/cluster/join}: takes a machine into every group.
 *
 * <p>Threading: immutable.
 */
record JoinGroups(MailboxContext context, ReplicatedShards cluster)
    implements GroupChange<JoinGroups.Request> {
  static final Form FORM =
      MailboxContext.form(
          Field.text("node").example("d"), Field.text("address").example("10.0.0.4:7101"));

  record Request(String node, String address) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    requireOperator(exchange);
    Fields form = context.form(exchange, FORM);
    return new Request(form.text("node"), form.text("address"));
  }

  @Override
  public void change(Request request) throws IOException, InterruptedException {
    cluster.join(request.node(), request.address());
  }
}
