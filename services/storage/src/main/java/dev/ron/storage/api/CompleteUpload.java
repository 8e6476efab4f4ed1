package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.content.ContentUnavailable;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.object.Permits;
import dev.ron.storage.upload.Upload;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * {@code POST /o/uploads/{upload}/complete}: makes the parts an object; asked again, it answers the
 * same.
 *
 * <p>Threading: immutable.
 */
record CompleteUpload(StorageContext context) implements Verb<CompleteUpload.Request, Put.Reply> {
  /**
   * What is to be completed.
   *
   * @param objects where it goes
   * @param readable whether the caller could read an object
   */
  record Request(
      UploadName name, UploadForm form, ObjectStore objects, Predicate<Address> readable) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    UploadForm form = UploadForm.read(exchange);
    return new Request(
        UploadName.of(context, exchange),
        form,
        context.objects(exchange),
        context.readable(exchange));
  }

  @Override
  public Put.Reply handle(Request request) throws IOException, InterruptedException {
    UploadName name = request.name();
    Optional<Written.Stored> before = context.uploads().completed(name.id(), name.owner());
    Written written =
        before.isPresent() && isThere(request, before.get()) ? before.get() : complete(request);
    return Put.Reply.of(written, request.readable());
  }

  /** What was stored may be deleted since: then the answer of then would promise it again. */
  private boolean isThere(Request request, Written.Stored before)
      throws Refusal, InterruptedException {
    try {
      return request.objects().stat(before.address()).isPresent();
    } catch (ContentUnavailable silent) {
      throw Refusal.of(
          new StorageFault.Unavailable("the bucket cannot be asked: " + silent.getMessage()));
    }
  }

  private Written complete(Request request) throws IOException, InterruptedException {
    UploadForm form = request.form();
    Upload upload = context.upload(request.name());
    long size = upload.status().sizeBytes();
    if (form.sizeBytes().orElse(size) != size) {
      return new Written.Refused(
          new StorageFault.UploadConflict(
              "the parts have %d bytes together, not %d"
                  .formatted(size, form.sizeBytes().getAsLong())));
    }
    try (Permits.Place _ = context.puts().enter()) {
      Written written = context.uploads().complete(upload, form.address(), request.objects());
      if (written instanceof Written.Stored(_, long bytes, _)) {
        context.metrics().chunksWritten().inc(Math.ceilDiv(bytes, 64 << 10));
      }
      return written;
    } catch (Refusal refusal) {
      throw refusal;
    } catch (IOException e) {
      return new Written.Refused(StorageFault.of(e));
    }
  }

  @Override
  public Answer write(Put.Reply reply) {
    return reply.answer(context);
  }
}
