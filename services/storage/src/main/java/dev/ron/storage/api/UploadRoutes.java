package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.HashTree;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonRead;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.BodyBudget;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.object.Permits;
import dev.ron.storage.upload.Upload;
import dev.ron.storage.upload.Uploads.Begun;
import java.io.IOException;
import java.util.Optional;

/**
 * Objects of any size in parts: begin, send parts in any order, look, complete, give up.
 *
 * <p>Threading: immutable.
 */
record UploadRoutes(StorageContext desk) {
  private static final int WISH_BYTES_MAX = 4096;
  private static final int ID_CHARS_MAX = 64;

  Blocking begin() {
    return exchange -> {
      Optional<Address> address = address(wish(exchange));
      return switch (begin(exchange, address)) {
        case Begun.Open(Upload upload, boolean fresh) ->
            show(fresh ? 201 : 200, upload).with("Location", "/o/uploads/" + upload.id());
        case Begun.Refused(StorageFault fault) -> Answer.problem(fault);
      };
    };
  }

  private Begun begin(Exchange exchange, Optional<Address> address) {
    try {
      return desk.uploads().begin(StorageRights.tenant(exchange), address);
    } catch (IOException e) {
      return new Begun.Refused(StorageFault.of(e));
    }
  }

  Blocking status() {
    return exchange -> show(200, upload(exchange));
  }

  Blocking part() {
    return exchange -> {
      Upload upload = upload(exchange);
      int part = part(exchange.param("part"));
      try (BodyBudget.Held body = desk.body(exchange, HashTree.PART_BYTES);
          Permits.Place _ = desk.puts().enter()) {
        Optional<StorageFault> refused = write(upload, part, body.bytes());
        if (refused.isPresent()) {
          return Answer.problem(refused.get());
        }
        desk.metrics().bytesIn().inc(body.bytes().length);
        return Answer.bytes(
            200,
            "application/json",
            StorageJson.JSON.write(new StorageJson.Part(part, body.bytes().length)));
      }
    };
  }

  private Optional<StorageFault> write(Upload upload, int part, byte[] bytes) throws IOException {
    try {
      return upload.write(part, bytes, desk.time().wall());
    } catch (Refusal refusal) {
      throw refusal;
    } catch (IOException e) {
      return Optional.of(StorageFault.of(e));
    }
  }

  Blocking complete() {
    return exchange -> {
      UploadRequest wish = wish(exchange);
      Optional<Address> wanted = address(wish);
      Optional<Written.Stored> before =
          desk.uploads().completed(exchange.param("upload"), StorageRights.tenant(exchange));
      if (before.isPresent()) {
        return Put.answer(desk, exchange, before.get());
      }
      Upload upload = upload(exchange);
      Upload.Status status = upload.status();
      if (wish.size() != null && wish.size() != status.sizeBytes()) {
        return Answer.problem(
            new StorageFault.UploadConflict(
                "the parts have %d bytes together, not %d"
                    .formatted(status.sizeBytes(), wish.size())));
      }
      return complete(exchange, upload, wanted);
    };
  }

  private Answer complete(Exchange exchange, Upload upload, Optional<Address> wanted)
      throws IOException, InterruptedException {
    try (Permits.Place _ = desk.puts().enter()) {
      Written written = desk.uploads().complete(upload, wanted);
      if (written instanceof Written.Stored(_, long size, _)) {
        desk.metrics().chunksWritten().inc(Math.ceilDiv(size, 64 << 10));
      }
      return Put.answer(desk, exchange, written);
    } catch (Refusal refusal) {
      throw refusal;
    } catch (IOException e) {
      return Answer.problem(StorageFault.of(e));
    }
  }

  Blocking abort() {
    return exchange -> {
      desk.uploads().drop(upload(exchange));
      return Answer.empty(204);
    };
  }

  private Answer show(int status, Upload upload) {
    Upload.Status now = upload.status();
    return Answer.bytes(
        status,
        "application/json",
        StorageJson.JSON.write(StorageJson.Upload.of(upload.id(), now.runs(), now.sizeBytes())));
  }

  private Upload upload(Exchange exchange) throws IOException {
    String id = exchange.param("upload");
    Optional<Upload> found;
    try {
      found = desk.uploads().find(id, StorageRights.tenant(exchange));
    } catch (IOException e) {
      throw Refusal.of(StorageFault.of(e));
    }
    return found.orElseThrow(
        () ->
            Refusal.of(
                new StorageFault.UploadUnknown(
                    id.length() > ID_CHARS_MAX ? id.substring(0, ID_CHARS_MAX) : id)));
  }

  private static int part(String text) throws Refusal {
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw Refusal.of(new StorageFault.Malformed("part: a number counted from 0"));
    }
    return Integer.parseInt(text);
  }

  private static UploadRequest wish(Exchange exchange) throws IOException {
    byte[] body = exchange.body().collect(WISH_BYTES_MAX);
    if (body.length == 0) {
      return UploadRequest.NONE;
    }
    return switch (StorageJson.JSON.read(body, UploadRequest.class)) {
      case JsonRead.Value<UploadRequest>(UploadRequest wish) -> wish;
      case JsonRead.Bad<UploadRequest>(var fault) ->
          throw Refusal.of(new StorageFault.Malformed(fault.detail()));
    };
  }

  private static Optional<Address> address(UploadRequest wish) throws Refusal {
    return wish.address() == null
        ? Optional.empty()
        : Optional.of(StorageContext.address(wish.address()));
  }
}
