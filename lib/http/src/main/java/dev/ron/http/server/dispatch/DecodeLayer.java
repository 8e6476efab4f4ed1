package dev.ron.http.server.dispatch;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** Puts a decoder before a coded body, or refuses a coding that is not taken. */
public record DecodeLayer(Decoders decoders) implements Layer {
  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    String coding = exchange.headers().first("Content-Encoding"); // a head has at most one
    if (coding == null
        || coding.isEmpty()
        || coding.equalsIgnoreCase("identity")
        || exchange.route().terms().codedBody()
        || !exchange.head().hasBody()) {
      return null;
    }
    Decoders.Decoder decoder = decoders.open(coding);
    if (decoder == null) {
      return Refusal.of(new HttpFault.Unsupported("this content coding is not taken here"));
    }
    exchange.body().decodedBy(decoder);
    return null;
  }
}
