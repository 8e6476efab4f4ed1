package dev.ron.storage.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;

/**
 * Which upload a request is about: its id, and the tenant that began it.
 *
 * <p>Threading: immutable.
 */
record UploadName(String id, String tenant) {
  static UploadName of(Exchange exchange) throws Refusal {
    return new UploadName(exchange.param("upload"), StorageRights.tenant(exchange));
  }
}
