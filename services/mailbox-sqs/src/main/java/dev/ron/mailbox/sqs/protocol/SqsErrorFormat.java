package dev.ron.mailbox.sqs.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.capability.CapabilityFault;
import dev.ron.http.HttpFault;
import dev.ron.http.Problem;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.FaultFormat;
import dev.ron.http.wire.RequestHead;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.sigv4.SignatureFault;
import java.time.Duration;

/**
 * Every error of this door in the protocol of the request, whichever part of the server refuses.
 *
 * <p>Threading: stateless.
 */
public final class SqsErrorFormat implements FaultFormat {
  private static final String UNKNOWN_OPERATION = "<UnknownOperationException/>\n";

  @Override
  public Answer answer(Problem problem, RequestHead head) {
    SqsFault fault = fault(problem.fault());
    SqsProtocol protocol = SqsProtocol.of(head.headers());
    String id = RequestId.of(problem.corrId());
    return body(fault, protocol, id).with(RequestId.FIELD, id);
  }

  private static Answer body(SqsFault fault, SqsProtocol protocol, String id) {
    int status = fault.status();
    if (fault instanceof SqsFault.UnknownOperationException && protocol != SqsProtocol.JSON) {
      return Answer.bytes(status, "text/xml", UNKNOWN_OPERATION.getBytes(US_ASCII));
    }
    String type = fault.blame() == Blame.CALLER ? "Sender" : "Receiver";
    return switch (protocol) {
      case JSON -> {
        var tree = new AnswerTree().text("__type", fault.shape());
        tree = fault.detail().isEmpty() ? tree : tree.text("message", fault.detail());
        yield Answer.bytes(status, protocol.contentType(), AnswerText.json(tree))
            .with("x-amzn-query-error", fault.queryCode() + ";" + type);
      }
      case QUERY ->
          Answer.bytes(
              status,
              protocol.contentType(),
              AnswerText.xmlError(type, fault.queryCode(), queryText(fault), id));
      case QUERY_JSON -> {
        var error =
            new AnswerTree()
                .text("Type", type)
                .text("Code", fault.queryCode())
                .text("Message", queryText(fault));
        var tree = new AnswerTree().tree("Error", error).text("RequestId", id);
        yield Answer.bytes(status, protocol.contentType(), AnswerText.json(tree));
      }
    };
  }

  /** The one text that differs by protocol. */
  private static String queryText(SqsFault fault) {
    return fault instanceof SqsFault.QueueDoesNotExist
        ? "The specified queue does not exist for this wsdl version."
        : fault.detail();
  }

  /** What any fault is called at this door. */
  public static SqsFault fault(Fault fault) {
    return switch (fault) {
      case SqsFault own -> own;
      case SignatureFault signature -> signature(signature);
      case MailboxFault mailbox -> mailbox(mailbox);
      case TenantFault tenant -> tenant(tenant);
      case KernelFault kernel ->
          new SqsFault.ServiceUnavailable(
              kernel.detail(), kernel.retryAfter().orElse(SqsFault.REST));
      case HttpFault.BodyCap _ -> new SqsFault.InvalidParameterValue(fault.detail());
      case HttpFault.Internal _ -> new SqsFault.InternalFailure(fault.detail());
      case HttpFault.Quota(_, Duration rest) -> new SqsFault.RequestThrottled(fault.detail(), rest);
      default ->
          fault.blame() == Blame.CALLER
              ? new SqsFault.SerializationException(fault.detail())
              : new SqsFault.ServiceUnavailable(
                  fault.detail(), fault.retryAfter().orElse(SqsFault.REST));
    };
  }

  /** Clients come again by themselves after the first, and not after the second. */
  private static SqsFault tenant(TenantFault fault) {
    return switch (fault) {
      case TenantFault.OverRate _, TenantFault.OverCount _ ->
          new SqsFault.RequestThrottled(fault.detail(), fault.retryAfter().orElse(SqsFault.REST));
      case TenantFault.OverStock _, TenantFault.Barred _ -> new SqsFault.OverLimit(fault.detail());
    };
  }

  private static SqsFault signature(SignatureFault fault) {
    return switch (fault) {
      case SignatureFault.UnknownAccessKey _, SignatureFault.InvalidToken _ ->
          new SqsFault.InvalidClientTokenId();
      case SignatureFault.ExpiredToken _ ->
          new SqsFault.ExpiredToken("The security token included in the request is expired");
      case SignatureFault.Mismatch _,
          SignatureFault.ChunkMismatch _,
          SignatureFault.ContentHashMismatch _ ->
          new SqsFault.SignatureDoesNotMatch();
      case SignatureFault.TimeTooSkewed _, SignatureFault.Expired _, SignatureFault.NotYetValid _ ->
          new SqsFault.RequestExpired(fault.detail());
      default -> new SqsFault.IncompleteSignature(fault.detail());
    };
  }

  /** Why a capability does not let a caller in. */
  public static SqsFault capability(CapabilityFault fault) {
    return switch (fault) {
      case CapabilityFault.Missing _ -> new SqsFault.MissingAuthenticationToken();
      case CapabilityFault.Expired _ ->
          new SqsFault.ExpiredToken("The security token included in the request is expired");
      default ->
          fault.worthless()
              ? new SqsFault.InvalidClientTokenId()
              : new SqsFault.AccessDenied("Access to the resource is denied.");
    };
  }

  private static SqsFault mailbox(MailboxFault fault) {
    return switch (fault) {
      case MailboxFault.NoSuchQueue _ -> new SqsFault.QueueDoesNotExist();
      case MailboxFault.QueueRefused(QueueRefusal why, String detail) -> queue(why, detail);
      case MailboxFault.Saturated(_, _, Duration rest) ->
          new SqsFault.RequestThrottled(fault.detail(), rest);
      case MailboxFault.OverQueued(TenantFault over) -> tenant(over);
      case MailboxFault.Unavailable _ ->
          new SqsFault.ServiceUnavailable(fault.detail(), fault.retryAfter().orElse(SqsFault.REST));
      default ->
          fault.blame() == Blame.CALLER
              ? new SqsFault.InvalidParameterValue(fault.detail())
              : new SqsFault.InternalFailure(fault.detail());
    };
  }

  private static SqsFault queue(QueueRefusal why, String detail) {
    return switch (why) {
      case NAME_TAKEN -> new SqsFault.QueueNameExists(detail);
      case DELETED_RECENTLY -> new SqsFault.QueueDeletedRecently();
      case PURGED_RECENTLY ->
          new SqsFault.PurgeQueueInProgress(detail.substring(detail.lastIndexOf('/') + 1));
      case CHANGED_SINCE ->
          new SqsFault.ServiceUnavailable(
              "other requests change the queue at the same time", SqsFault.REST);
      case TOO_MANY_IN_FLIGHT ->
          new SqsFault.OverLimit("Too many messages of the queue are in flight.");
      case VISIBILITY_TOO_LONG ->
          new SqsFault.InvalidParameterValue(
              "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]");
      case NOT_A_TARGET ->
          new SqsFault.InvalidParameterValue(
              "Source queue must be configured as a Dead Letter Queue.");
      case NO_DESTINATION ->
          new SqsFault.ResourceNotFoundException(
              "The resource that you specified for the DestinationArn parameter doesn't exist.");
      case MOVE_RUNNING ->
          new SqsFault.InvalidParameterValue(
              "There is already a task running. Only one active task is allowed for a source queue"
                  + " arn at a given time.");
      case NO_MOVE -> new SqsFault.ResourceNotFoundException("Task does not exist.");
    };
  }
}
