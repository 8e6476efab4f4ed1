package dev.ron.storage.api;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.Permits;
import java.util.Optional;

/**
 * {@code DELETE /o/{address}}: hides an object at once, durably; its bytes go after the grace.
 *
 * <p>Threading: immutable.
 */
record Delete(StorageContext desk) {
  Blocking handler() {
    return exchange -> {
      var address = StorageContext.address(exchange);
      try (Permits.Place _ = desk.puts().enter()) {
        Optional<StorageFault> fault = desk.stock().delete(address);
        return fault.isPresent() ? Answer.problem(fault.get()) : Answer.empty(204);
      }
    };
  }
}
