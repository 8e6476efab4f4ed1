package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code DELETE /o/{address}}: hides an object at once, durably; its bytes go after the grace.
 *
 * <p>Threading: immutable.
 */
record Delete(StorageContext context) implements Verb<Delete.Request, Verb.None> {
  record Request(Address address, ObjectStore objects) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(StorageContext.address(exchange), context.objects(exchange));
  }

  @Override
  public None handle(Request request) throws IOException, InterruptedException {
    try (Permits.Place _ = context.puts().enter()) {
      Optional<StorageFault> fault = request.objects().delete(request.address());
      if (fault.isPresent()) {
        throw Refusal.of(fault.get());
      }
      return new None();
    }
  }

  @Override
  public Answer write(None done) {
    return Answer.empty(204);
  }
}
