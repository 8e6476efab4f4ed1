package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The body that begins or completes an upload; everything in it may be left out.
 *
 * <p>Threading: immutable.
 *
 * @param address what the whole object is, so that anything else is refused
 * @param sizeBytes how many bytes it has
 */
record UploadForm(Optional<Address> address, OptionalLong sizeBytes) {
  private static final int BYTES_MAX = 4096;

  /** Address of the five bytes {@code hello}, which the examples of all routes store and read. */
  static final String EXAMPLE =
      "b3:ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f";

  static final Form FORM =
      Form.of(
          StorageFault.Malformed::new,
          Field.text("address").nullable().about("Address of the whole object.").example(EXAMPLE),
          Field.number("size", 0, Long.MAX_VALUE).nullable().about("Its bytes.").example(5));

  static UploadForm read(Exchange exchange) throws IOException {
    Fields fields = FORM.read(exchange.body().collect(BYTES_MAX));
    return new UploadForm(
        fields.has("address")
            ? Optional.of(StorageContext.address(fields.text("address")))
            : Optional.empty(),
        fields.has("size") ? OptionalLong.of(fields.number("size")) : OptionalLong.empty());
  }
}
