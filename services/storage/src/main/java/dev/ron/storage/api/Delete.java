package dev.ron.storage.api;

import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.storage.StorageFault;
import dev.ron.storage.task.Pool;
import java.util.Optional;

/**
 * {@code DELETE /o/{address}}: hides an object at once, durably; its bytes go after the grace.
 *
 * <p>Threading: immutable.
 */
record Delete(Desk desk) {
  Blocking handler() {
    return exchange -> {
      var address = Desk.address(exchange);
      try (Pool.Place _ = desk.puts().enter()) {
        Optional<StorageFault> fault = desk.stock().delete(address);
        return fault.isPresent() ? Problems.answer(fault.get()) : Answer.empty(204);
      }
    };
  }
}
