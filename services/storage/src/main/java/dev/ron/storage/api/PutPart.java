package dev.ron.storage.api;

import dev.ron.blake3.HashTree;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.BodyBudget;
import dev.ron.storage.object.Permits;
import dev.ron.storage.upload.Upload;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code PUT /o/uploads/{upload}/{part}}: one part, in any order.
 *
 * <p>Threading: immutable.
 */
record PutPart(StorageContext context) implements Verb<PutPart.Request, PutPart.Reply> {
  record Request(Upload upload, int part, BodyBudget.Unread body) {}

  /** A part that is durable. */
  record Reply(int part, int size) {}

  /** Looks for the upload first, so that no body is read for one that is not there. */
  @Override
  public Request parse(Exchange exchange) throws Refusal {
    Upload upload = context.upload(UploadName.of(context, exchange));
    int part = part(exchange.param("part"));
    return new Request(upload, part, context.body(exchange, HashTree.PART_BYTES));
  }

  @Override
  public Reply handle(Request request) throws IOException, InterruptedException {
    try (BodyBudget.Held body = request.body().read();
        Permits.Place _ = context.puts().enter()) {
      Optional<StorageFault> refused = write(request.upload(), request.part(), body.bytes());
      if (refused.isPresent()) {
        throw Refusal.of(refused.get());
      }
      context.metrics().bytesIn().inc(body.bytes().length);
      return new Reply(request.part(), body.bytes().length);
    }
  }

  private Optional<StorageFault> write(Upload upload, int part, byte[] bytes) throws Refusal {
    try {
      return upload.write(part, bytes, context.time().wall());
    } catch (Refusal refusal) {
      throw refusal;
    } catch (IOException e) {
      return Optional.of(StorageFault.of(e));
    }
  }

  private static int part(String text) throws Refusal {
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw Refusal.of(new StorageFault.Malformed("part: a number counted from 0"));
    }
    return Integer.parseInt(text);
  }
}
