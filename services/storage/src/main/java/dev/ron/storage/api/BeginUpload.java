package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.upload.Upload;
import dev.ron.storage.upload.Uploads.Begun;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code POST /o/uploads}: begins an upload, or finds the one that was begun for the same address.
 *
 * <p>Threading: immutable.
 */
record BeginUpload(StorageContext context) implements Verb<BeginUpload.Request, BeginUpload.Reply> {
  record Request(Owner owner, Optional<Address> address) {}

  record Reply(ShowUpload.Reply upload, boolean fresh) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    return new Request(context.owner(exchange), UploadForm.read(exchange).address());
  }

  @Override
  public Reply handle(Request request) throws Refusal {
    Begun begun;
    try {
      begun = context.uploads().begin(request.owner(), request.address());
    } catch (IOException e) {
      throw Refusal.of(StorageFault.of(e));
    }
    return switch (begun) {
      case Begun.Open(Upload upload, boolean fresh) ->
          new Reply(ShowUpload.Reply.of(upload), fresh);
      case Begun.Refused(StorageFault fault) -> throw Refusal.of(fault);
    };
  }

  @Override
  public Answer write(Reply reply) {
    return Answer.json(reply.fresh() ? 201 : 200, reply.upload())
        .with("Location", "/o/uploads/" + reply.upload().upload());
  }
}
