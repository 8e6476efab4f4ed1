package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Form;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.message.Message;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/dlq/{msg_id}/copy}: a new message with what the form says and the rest of the
 * dead letter, which stays until it is dropped.
 *
 * <p>The form is that of a send, all but {@code idem_key} optional.
 *
 * <p>Threading: immutable.
 */
record CopyDeadLetter(ShowDeadLetter show, Send send)
    implements Verb<CopyDeadLetter.Request, Send.Reply> {
  /** For the OpenAPI document: it is read by the form of a send, once nothing is missing. */
  static final Form CHANGES =
      MailboxContext.form(
          Send.FIELDS.stream()
              .map(field -> field.name().equals("idem_key") ? field : field.optional())
              .toArray(Field[]::new));

  /**
   * @param changes the form as JSON, which is whole only with the dead letter's own fields
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Request(ShowDeadLetter.Request which, byte[] changes) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    return new Request(
        show.parse(exchange), exchange.body().collect(send.context().formBytesMax()));
  }

  @Override
  public Send.Reply handle(Request request) throws Refusal, InterruptedException {
    DeadLetter found = show.handle(request.which());
    Message message = found.message();
    Map<String, @Nullable Object> tree = Send.FORM.tree(request.changes());
    // A null that was sent stays, to be refused.
    fallback(tree, "topic", message.topic());
    fallback(tree, "payload_b64", found.body());
    fallback(tree, "attrs", message.attrs());
    if (!message.group().isEmpty()) {
      fallback(tree, "group", message.group());
    }
    var terms = new Send.Terms(request.which().caller(), true, null);
    return send.handle(send.request(terms, Send.FORM.read(tree)));
  }

  private static void fallback(Map<String, @Nullable Object> tree, String name, Object value) {
    if (!tree.containsKey(name)) {
      tree.put(name, value);
    }
  }

  @Override
  public Answer write(Send.Reply reply) {
    return send.write(reply);
  }
}
