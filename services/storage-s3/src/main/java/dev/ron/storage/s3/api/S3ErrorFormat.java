package dev.ron.storage.s3.api;

import dev.ron.http.HttpFault;
import dev.ron.http.Problem;
import dev.ron.http.field.HttpDate;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.FaultFormat;
import dev.ron.http.wire.RequestHead;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.sigv4.SignatureFault;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.xml.XmlWriter;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Every error of this door as the document that S3 clients read, whichever part of the server
 * refuses.
 *
 * <p>Threading: stateless.
 */
public final class S3ErrorFormat implements FaultFormat {
  /**
   * The value of a field or parameter with a client's key: clients log the errors that they get.
   */
  private static final Pattern CLIENT_KEY =
      Pattern.compile("(?i)(?<=customer-key:).+|(?<=customer-key=)[^&\\n]+");

  @Override
  public Answer answer(Problem problem, RequestHead head) {
    Fault fault = problem.fault();
    XmlWriter xml = XmlWriter.plain("Error");
    xml.text("Code", code(fault)).text("Message", fault.detail());
    if (fault instanceof SignatureFault.Mismatch(var stringToSign, var canonical)) {
      xml.text("StringToSign", stringToSign)
          .text("CanonicalRequest", CLIENT_KEY.matcher(canonical).replaceAll("***"));
    }
    switch (fault) {
      case S3Fault.NoSuchBucket(var bucket) -> xml.text("BucketName", bucket);
      case S3Fault.NoSuchKey(var key, _) -> xml.text("Key", key);
      case S3Fault.PreconditionFailed(var condition) -> xml.text("Condition", condition);
      default -> {
        // the message says it all
      }
    }
    xml.text("Resource", head.rawPath())
        .text("RequestId", problem.corrId())
        .text("HostId", problem.corrId());
    Answer answer =
        Answer.bytes(status(problem), "application/xml", xml.bytes())
            .with("x-amz-request-id", problem.corrId());
    return switch (fault) {
      case S3Fault.NoSuchKey(_, boolean hidden) ->
          answer.with("x-amz-delete-marker", Boolean.toString(hidden));
      case S3Fault.MethodNotAllowed(_, long markerMillis) when markerMillis > 0 ->
          answer
              .with("x-amz-delete-marker", "true")
              .with(
                  "Last-Modified",
                  new HttpDate(Instant.ofEpochSecond(markerMillis / 1000)).toString())
              .with("Allow", "DELETE");
      default -> answer;
    };
  }

  /** Busy and draining are 503 here, which clients of S3 take as advice to come again. */
  private static int status(Problem problem) {
    return switch (problem.fault()) {
      case KernelFault.Busy _, KernelFault.Timeout _ -> 503;
      case TenantFault.Barred _ -> 403; // to come again would not help
      default -> problem.status() == 429 ? 503 : problem.status();
    };
  }

  public static String code(Fault fault) {
    return switch (fault) {
      case S3Fault own -> own.s3Code();
      case SignatureFault signature -> signature.code();
      case TenantFault.OverStock _ -> "QuotaExceeded";
      case TenantFault.Barred _ -> "AccessDenied";
      case KernelFault.Busy _ -> "SlowDown";
      case KernelFault.Timeout _ -> "RequestTimeout";
      case HttpFault.BodyCap _ -> "EntityTooLarge";
      case HttpFault.SlowSender _ -> "RequestTimeout";
      case HttpFault.MethodNotAllowed _ -> "MethodNotAllowed";
      case HttpFault.Internal _ -> "InternalError";
      case HttpFault.HeadCap _ -> "RequestHeaderSectionTooLarge";
      default -> other(fault);
    };
  }

  private static String other(Fault fault) {
    return switch (fault.status() / 100) {
      case 4 -> fault.status() == 429 ? "SlowDown" : "InvalidRequest";
      case 5 -> fault.status() == 503 ? "SlowDown" : "InternalError";
      default -> "InternalError";
    };
  }
}
