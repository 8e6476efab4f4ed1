package dev.ron.rewarder.api;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import java.io.IOException;

/**
 * {@code GET /rewarder/policy/{id}}: by its id, of the latest run that used it; or by its address.
 *
 * <p>Threading: immutable.
 */
record ShowPolicy(RewarderContext context) implements Verb<ShowPolicy.Request, byte[]> {
  record Request(Owner owner, String wanted) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(EpochName.owner(exchange), exchange.param("id"));
  }

  @Override
  public byte[] handle(Request request) throws IOException {
    String wanted = request.wanted();
    RunBook.Entry found = null;
    for (RunBook.Entry entry : context.rewarder().runs().all()) {
      Manifest manifest = entry.manifest();
      if (manifest != null
          && request.owner().owns(entry.epoch())
          && (manifest.text("policy").equals(wanted)
              || manifest.text("policy_id").equals(wanted))) {
        found = entry;
      }
    }
    if (found == null) {
      throw RewarderContext.unknown("policy of that name in any run");
    }
    return context.rewarder().artifacts().policy(found.runKey(), found.dry());
  }

  @Override
  public Answer write(byte[] policy) {
    return Answer.bytes(200, "application/json", policy);
  }
}
