package dev.ron.storage.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import java.io.IOException;

/**
 * {@code DELETE /o/uploads/{upload}}: gives an upload up.
 *
 * <p>Threading: immutable.
 */
record AbortUpload(StorageContext context) implements Verb<UploadName, Verb.None> {
  @Override
  public UploadName parse(Exchange exchange) throws Refusal {
    return UploadName.of(context, exchange);
  }

  @Override
  public None handle(UploadName name) throws IOException {
    context.uploads().drop(context.upload(name));
    return new None();
  }

  @Override
  public Answer write(None done) {
    return Answer.empty(204);
  }
}
