package dev.ron.mailbox.sqs;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.Locale;

/**
 * What the SQS door refuses or fails, with the texts that clients of AWS know.
 *
 * <p>The name of a record is the shape that JSON clients are told. The older query protocol has
 * codes of its own for some, which {@link #queryCode} says.
 */
public sealed interface SqsFault extends Fault {
  Duration REST = Duration.ofSeconds(1);

  record AccessDenied(String why) implements SqsFault {}

  record BatchEntryIdsNotDistinct(String id) implements SqsFault {}

  record BatchRequestTooLong(long bytesMax, long bytes) implements SqsFault {}

  record EmptyBatchRequest(String entries) implements SqsFault {}

  record ExpiredToken(String why) implements SqsFault {}

  record IncompleteSignature(String why) implements SqsFault {}

  record InternalFailure(String why) implements SqsFault {}

  record InvalidAction(String action) implements SqsFault {}

  record InvalidAddress(String url) implements SqsFault {}

  record InvalidAttributeName(String why) implements SqsFault {}

  record InvalidAttributeValue(String why) implements SqsFault {}

  record InvalidBatchEntryId() implements SqsFault {}

  record InvalidClientTokenId() implements SqsFault {}

  record InvalidMessageContents() implements SqsFault {}

  record InvalidParameterValue(String why) implements SqsFault {}

  record MessageNotInflight() implements SqsFault {}

  record MissingAuthenticationToken() implements SqsFault {}

  record MissingParameter(String parameter) implements SqsFault {}

  record OverLimit(String why) implements SqsFault {}

  record PurgeQueueInProgress(String queue) implements SqsFault {}

  record QueueDeletedRecently() implements SqsFault {}

  record QueueDoesNotExist() implements SqsFault {}

  record QueueNameExists(String attribute) implements SqsFault {}

  record ReceiptHandleIsInvalid(String handle) implements SqsFault {}

  record RequestExpired(String why) implements SqsFault {}

  /** Too much at a time; clients try again by themselves. */
  record RequestThrottled(String why, Duration rest) implements SqsFault {}

  record ResourceNotFoundException(String why) implements SqsFault {}

  record SerializationException(String why) implements SqsFault {}

  /** A shard that cannot be asked now, or a drain; clients try again by themselves. */
  record ServiceUnavailable(String why, Duration rest) implements SqsFault {}

  record SignatureDoesNotMatch() implements SqsFault {}

  record TooManyEntriesInBatchRequest(int max, int sent) implements SqsFault {}

  record UnknownOperationException() implements SqsFault {}

  record UnsupportedOperation(String why) implements SqsFault {}

  /** The shape, in the namespace that JSON clients expect. */
  default String shape() {
    return switch (this) {
      case InvalidParameterValue _ -> CORAL + "InvalidParameterValueException";
      case MissingParameter _ -> CORAL + "MissingRequiredParameterException";
      case AccessDenied _ -> CORAL + "AccessDeniedException";
      case InvalidClientTokenId _ -> CORAL + "UnrecognizedClientException";
      case MissingAuthenticationToken _ -> CORAL + "MissingAuthenticationTokenException";
      case ExpiredToken _ -> CORAL + "ExpiredTokenException";
      case IncompleteSignature _ -> CORAL + "IncompleteSignatureException";
      case SignatureDoesNotMatch _, RequestExpired _ -> CORAL + "InvalidSignatureException";
      case UnknownOperationException _,
          SerializationException _,
          InternalFailure _,
          InvalidAction _ ->
          CORAL + getClass().getSimpleName();
      default -> "com.amazonaws.sqs#" + getClass().getSimpleName();
    };
  }

  String CORAL = "com.amazon.coral.service#";

  /** The code of the query protocol, which JSON clients are told in a field. */
  default String queryCode() {
    return switch (this) {
      case QueueDoesNotExist _ -> OWN + "NonExistentQueue";
      case QueueNameExists _ -> "QueueAlreadyExists";
      case QueueDeletedRecently _,
          BatchEntryIdsNotDistinct _,
          EmptyBatchRequest _,
          InvalidBatchEntryId _,
          TooManyEntriesInBatchRequest _,
          BatchRequestTooLong _,
          MessageNotInflight _,
          PurgeQueueInProgress _,
          UnsupportedOperation _ ->
          OWN + getClass().getSimpleName();
      case SerializationException _ -> "MalformedInput";
      default -> getClass().getSimpleName();
    };
  }

  String OWN = "AWS.SimpleQueueService.";

  @Override
  default Said said() {
    return switch (this) {
      case AccessDenied(var why) -> refused(403, why);
      case BatchEntryIdsNotDistinct(var id) -> refused(400, "Id " + id + " repeated.");
      case BatchRequestTooLong(var max, var bytes) ->
          refused(
              400,
              "Batch requests cannot be longer than %d bytes. You have sent %d bytes."
                  .formatted(max, bytes));
      case EmptyBatchRequest(var entries) ->
          refused(400, "There should be at least one " + entries + " in the request.");
      case ExpiredToken(var why) -> refused(403, why);
      case IncompleteSignature(var why) -> refused(400, why);
      case InternalFailure(var why) -> us(500, dashed(), why);
      case InvalidAction(var action) ->
          refused(400, "The action " + action + " is not valid for this endpoint.");
      case InvalidAddress(var url) ->
          refused(404, "The address " + url + " is not valid for this endpoint.");
      case InvalidAttributeName(var why) -> refused(400, why);
      case InvalidAttributeValue(var why) -> refused(400, why);
      case InvalidBatchEntryId() ->
          refused(
              400,
              "A batch entry id can only contain alphanumeric characters, hyphens and underscores."
                  + " It can be at most 80 letters long.");
      case InvalidClientTokenId() ->
          refused(403, "The security token included in the request is invalid.");
      case InvalidMessageContents() ->
          refused(
              400,
              "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to"
                  + " #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF");
      case InvalidParameterValue(var why) -> refused(400, why);
      case MessageNotInflight() -> refused(400, "The specified message isn't in flight.");
      case MissingAuthenticationToken() -> refused(403, "Request is missing Authentication Token");
      case MissingParameter(var name) ->
          refused(400, "The request must contain the parameter " + name + ".");
      case OverLimit(var why) -> refused(403, why);
      case PurgeQueueInProgress(var queue) ->
          refused(
              403, "Only one PurgeQueue operation on " + queue + " is allowed every 60 seconds.");
      case QueueDeletedRecently() ->
          refused(
              400,
              "You must wait 60 seconds after deleting a queue before you can create another with"
                  + " the same name.");
      case QueueDoesNotExist() -> refused(400, "The specified queue does not exist.");
      case QueueNameExists(var attribute) ->
          refused(
              400,
              "A queue already exists with the same name and a different value for attribute "
                  + attribute);
      case ReceiptHandleIsInvalid(var handle) ->
          refused(
              400, "The input receipt handle \"" + handle + "\" is not a valid receipt handle.");
      case RequestExpired(var why) -> refused(400, why);
      case RequestThrottled(var why, var rest) -> us(403, dashed(), why).after(rest);
      case ResourceNotFoundException(var why) -> refused(404, why);
      case SerializationException(var why) -> refused(400, why);
      case ServiceUnavailable(var why, var rest) -> us(503, dashed(), why).after(rest);
      case SignatureDoesNotMatch() ->
          refused(
              403,
              "The request signature we calculated does not match the signature you provided. Check"
                  + " your AWS Secret Access Key and signing method. Consult the service"
                  + " documentation for details.");
      case TooManyEntriesInBatchRequest(var max, var sent) ->
          refused(
              400,
              "Maximum number of entries per request are %d. You have sent %d."
                  .formatted(max, sent));
      case UnknownOperationException() -> refused(404, "");
      case UnsupportedOperation(var why) -> refused(400, why);
    };
  }

  /** Texts repeat what a caller made up, which may be as long as a body. */
  private Said refused(int status, String text) {
    return caller(
        status,
        dashed(),
        text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) : text);
  }

  int TEXT_CHARS_MAX = 2048;

  /** The shape's name in the spelling of metrics. */
  private String dashed() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }
}
