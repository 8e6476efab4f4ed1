package dev.ron.storage.api;

import dev.ron.content.ContentFault;
import dev.ron.content.segment.DiskFailure;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.storage.StorageFault;
import java.io.IOException;
import java.time.Duration;

/**
 * The one place where a fault of the storage becomes a status; a new fault breaks the build here.
 */
public final class StorageProblems {
  private static final Duration REST = Duration.ofSeconds(1);

  private StorageProblems() {}

  static int status(StorageFault fault) {
    return switch (fault) {
      case StorageFault.Malformed _ -> 400;
      case StorageFault.NotFound _, StorageFault.UploadUnknown _ -> 404;
      case StorageFault.PreconditionFailed _ -> 412;
      case StorageFault.Mismatch _, StorageFault.UploadConflict _ -> 409;
      case StorageFault.TooLarge _ -> 413;
      case StorageFault.Unsatisfiable _ -> 416;
      case StorageFault.Integrity _ -> 502;
      case StorageFault.Amnesia _, StorageFault.Unavailable _ -> 503;
      case StorageFault.Full _ -> 507;
    };
  }

  public static Refusal refusal(StorageFault fault) {
    return new Refusal(status(fault), fault);
  }

  public static Answer answer(StorageFault fault) {
    return Answer.problem(status(fault), fault);
  }

  /** A bound of a store is a bound like any other. */
  public static Answer busy(ContentFault.Busy fault) {
    return Answer.problem(new KernelFault.Busy(fault.what(), fault.max(), REST));
  }

  static Answer busy(String what, int max) {
    return Answer.problem(new KernelFault.Busy(what, max, REST));
  }

  /** What a disk threw. */
  static StorageFault disk(IOException trouble) {
    return DiskFailure.fault(trouble) instanceof ContentFault.Full full
        ? new StorageFault.Full(full.detail())
        : new StorageFault.Unavailable(String.valueOf(trouble.getMessage()));
  }
}
