package dev.ron.mailbox.grpc;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.mailbox.MailboxFault;
import java.nio.charset.StandardCharsets;

/**
 * The one place where a fault becomes a status of gRPC; a new fault of the mailbox breaks the build
 * here.
 */
final class GrpcStatus {
  static final String CONTENT_TYPE = "application/grpc";
  static final int DEADLINE_EXCEEDED = 4;

  private static final int UNKNOWN = 2;
  private static final int INVALID_ARGUMENT = 3;
  private static final int NOT_FOUND = 5;
  private static final int ALREADY_EXISTS = 6;
  private static final int PERMISSION_DENIED = 7;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int FAILED_PRECONDITION = 9;
  private static final int OUT_OF_RANGE = 11;
  private static final int INTERNAL = 13;
  private static final int UNAVAILABLE = 14;
  private static final int DATA_LOSS = 15;
  private static final int UNAUTHENTICATED = 16;

  private GrpcStatus() {}

  static int of(MailboxFault fault) {
    return switch (fault) {
      case MailboxFault.Schema _ -> INVALID_ARGUMENT;
      case MailboxFault.CapAuth _ -> UNAUTHENTICATED;
      case MailboxFault.CapScope _ -> PERMISSION_DENIED;
      case MailboxFault.UnknownMessage _, MailboxFault.NoSuchQueue _ -> NOT_FOUND;
      case MailboxFault.Duplicate _ -> ALREADY_EXISTS;
      case MailboxFault.ReceiptExpired _,
          MailboxFault.IdemMismatch _,
          MailboxFault.QueueRefused _ ->
          FAILED_PRECONDITION;
      case MailboxFault.FrameTooLarge _ -> OUT_OF_RANGE;
      case MailboxFault.Integrity _ -> DATA_LOSS;
      case MailboxFault.Saturated _, MailboxFault.OverQueued _ -> RESOURCE_EXHAUSTED;
      case MailboxFault.Unavailable _ -> UNAVAILABLE;
    };
  }

  /** A fault of the server's own layers, by the status it has over HTTP. */
  private static int of(int http) {
    return switch (http) {
      case 400 -> INVALID_ARGUMENT;
      case 401 -> UNAUTHENTICATED;
      case 403 -> PERMISSION_DENIED;
      case 404 -> NOT_FOUND;
      case 408, 504 -> DEADLINE_EXCEEDED;
      case 413 -> OUT_OF_RANGE;
      case 429 -> RESOURCE_EXHAUSTED;
      case 500 -> INTERNAL;
      case 503 -> UNAVAILABLE;
      default -> UNKNOWN;
    };
  }

  static Answer answer(Refusal refusal) {
    return answer(of(refusal), refusal.fault());
  }

  private static int of(Refusal refusal) {
    return refusal.fault() instanceof MailboxFault ours ? of(ours) : of(refusal.status());
  }

  /** The end of a stream that did not end by itself. */
  static Headers trailers(Refusal refusal) {
    return Headers.of("grpc-status", Integer.toString(of(refusal)))
        .add("grpc-message", percent(refusal.fault().detail()))
        .add("ron-code", refusal.fault().code());
  }

  /** Headers that are trailers too, because nothing stands between them. */
  static Answer answer(int status, Fault fault) {
    Answer answer =
        Answer.bytes(200, CONTENT_TYPE, new byte[0])
            .with("grpc-status", Integer.toString(status))
            .with("grpc-message", percent(fault.detail()))
            .with("ron-code", fault.code());
    return fault
        .retryAfter()
        .map(rest -> answer.with("grpc-retry-pushback-ms", Long.toString(rest.toMillis())))
        .orElse(answer);
  }

  /** The end of a stream that would have gone on. */
  static Headers draining() {
    Fault fault = new KernelFault.Draining("mailbox");
    return Headers.of("grpc-status", Integer.toString(UNAVAILABLE))
        .add("grpc-message", percent(fault.detail()))
        .add("ron-code", fault.code());
  }

  static Headers ok() {
    return Headers.of("grpc-status", "0");
  }

  /** As the protocol wants a message: plain ASCII, everything else percent-encoded. */
  private static String percent(String text) {
    var out = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (each >= ' ' && each <= '~' && each != '%') {
        out.append((char) each);
      } else {
        out.append("%%%02X".formatted(each & 0xff));
      }
    }
    return out.toString();
  }
}
