package dev.ron.storage.api;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;

/**
 * Which upload a request is about: its id, and whose it is.
 *
 * <p>Threading: immutable.
 */
record UploadName(String id, Owner owner) {
  static UploadName of(StorageContext context, Exchange exchange) throws Refusal {
    return new UploadName(exchange.param("upload"), context.owner(exchange));
  }
}
