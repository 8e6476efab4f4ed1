package dev.ron.sigv4;

import static dev.ron.kernel.fault.Said.caller;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;
import java.util.Map;

/**
 * Why a signed request, or the body that follows it, is refused.
 *
 * <p>The code is the name that S3 gives the error, since its clients decide by it; a door with
 * other names, such as that of SQS, switches over the records. No text holds a secret.
 *
 * <p>Threading: immutable.
 */
public sealed interface SignatureFault extends Fault {
  /** The signature is by another scheme: version 2, the asymmetric version 4, a bearer token. */
  record OtherScheme(String scheme) implements SignatureFault {}

  /** The field for the signature is there, with nothing in it. */
  record Empty() implements SignatureFault {}

  /** The request carries a signature in its fields and another in its query. */
  record TwoSignatures() implements SignatureFault {}

  /** The signature cannot be read, or is made for another service or day. */
  record Malformed(SignaturePlace place, String why) implements SignatureFault {}

  /** A presigned request is given no time, or more than seven days. */
  record BadExpires(String why) implements SignatureFault {}

  /** Something that the signature rests on is missing or comes twice. */
  record Invalid(String why) implements SignatureFault {}

  /** The path or query cannot be read. */
  record BadTarget(String why) implements SignatureFault {}

  /** There is no date, or one that cannot be read. */
  record NoDate() implements SignatureFault {}

  /** The request is older or newer than a clock may be wrong. */
  record TimeTooSkewed(String requestTime, String serverTime) implements SignatureFault {}

  /** A presigned request is used before its time. */
  record NotYetValid(String from) implements SignatureFault {}

  /** A presigned request is used after its time. */
  record Expired(String until) implements SignatureFault {}

  /** Fields that change what is done are not covered by the signature. */
  record HeadersNotSigned(String names) implements SignatureFault {}

  /** The announced form of the body is unknown, or does not go with this kind of signature. */
  record BadPayloadMode(String mode) implements SignatureFault {}

  /** The access key id is none of ours, or no longer. */
  record UnknownAccessKey() implements SignatureFault {}

  /** The credentials, or caveats sent with them, have ended. */
  record ExpiredToken() implements SignatureFault {}

  /** So many signatures from there did not fit that no other key is looked for now. */
  record TooManyWrong(Duration rest) implements SignatureFault {}

  /** The session token cannot be read. */
  record InvalidToken(String why) implements SignatureFault {}

  /** The signature does not fit what was sent. */
  record Mismatch(String stringToSign, String canonicalRequest) implements SignatureFault {}

  /** A chunk's or the trailer's signature does not fit its bytes. */
  record ChunkMismatch(String stringToSign) implements SignatureFault {}

  /** The body is not the one whose hash was signed. */
  record ContentHashMismatch(String announced, String computed) implements SignatureFault {}

  /** A body in chunks does not say how long it is without them. */
  record NoDecodedLength() implements SignatureFault {}

  /** The body ends before it is whole, or is not as long as announced. */
  record IncompleteBody(String why) implements SignatureFault {}

  /** The chunks of a body cannot be read. */
  record MalformedChunk(String why) implements SignatureFault {}

  /** The trailer cannot be read or is not the announced one. */
  record MalformedTrailer(String why) implements SignatureFault {}

  @Override
  default Said said() {
    return switch (this) {
      case OtherScheme(var scheme) ->
          caller(400, "InvalidRequest", scheme + " is not supported; sign with AWS4-HMAC-SHA256");
      case Empty() -> denied("the field Authorization is empty");
      case TwoSignatures() ->
          caller(
              400,
              "InvalidArgument",
              "the request is signed in its fields and in its query; send one signature");
      case Malformed(var place, var why) -> caller(400, place.code(), why);
      case BadExpires(var why) -> caller(403, SignaturePlace.QUERY.code(), why);
      case Invalid(var why) -> caller(400, "InvalidRequest", why);
      case BadTarget(var why) -> caller(400, "InvalidURI", why);
      case NoDate() -> denied("a signed request needs a valid x-amz-date or Date field");
      case TimeTooSkewed(var request, var server) ->
          caller(
              403,
              "RequestTimeTooSkewed",
              "the request is of %s and it is %s here; they may be 15 minutes apart"
                  .formatted(request, server));
      case NotYetValid(var from) -> denied("the presigned request is valid from " + from + " on");
      case Expired(var until) -> denied("the presigned request has expired at " + until);
      case HeadersNotSigned(var names) ->
          denied("these fields must be signed and are not: " + names);
      case BadPayloadMode(var mode) ->
          caller(400, "InvalidArgument", "x-amz-content-sha256 cannot be " + mode + " here");
      case UnknownAccessKey() ->
          caller(403, "InvalidAccessKeyId", "the access key id is not known here, or no longer");
      case ExpiredToken() ->
          caller(400, "ExpiredToken", "the credentials have expired; have new ones made");
      case TooManyWrong(var rest) ->
          caller(503, "SlowDown", "too many requests from this address have wrong signatures")
              .after(rest);
      case InvalidToken(var why) -> caller(400, "InvalidToken", why);
      case Mismatch _ ->
          caller(
              403,
              "SignatureDoesNotMatch",
              "the signature does not fit the request; compare both texts with the client's, and"
                  + " check its secret");
      case ChunkMismatch _ ->
          caller(403, "SignatureDoesNotMatch", "the signature of a chunk does not fit its bytes");
      case ContentHashMismatch _ ->
          caller(
              400,
              "XAmzContentSHA256Mismatch",
              "the body has another SHA-256 than x-amz-content-sha256 announced");
      case NoDecodedLength() ->
          caller(
              411,
              "MissingContentLength",
              "a body in chunks needs x-amz-decoded-content-length, a number of bytes");
      case IncompleteBody(var why) -> caller(400, "IncompleteBody", why);
      case MalformedChunk(var why) -> caller(400, "InvalidRequest", why);
      case MalformedTrailer(var why) -> caller(400, "MalformedTrailerError", why);
    };
  }

  private static Said denied(String why) {
    return caller(403, "AccessDenied", why);
  }

  /** What S3 adds to the error's document, by element name. */
  @Override
  default Map<String, String> members() {
    return switch (this) {
      case Mismatch(var stringToSign, var canonicalRequest) ->
          Map.of("StringToSign", stringToSign, "CanonicalRequest", canonicalRequest);
      case ChunkMismatch(var stringToSign) -> Map.of("StringToSign", stringToSign);
      case ContentHashMismatch(var announced, var computed) ->
          Map.of("ClientComputedContentSHA256", announced, "S3ComputedContentSHA256", computed);
      case HeadersNotSigned(var names) -> Map.of("HeadersNotSigned", names);
      case TimeTooSkewed(var request, var server) ->
          Map.of("RequestTime", request, "ServerTime", server);
      default -> Map.of();
    };
  }
}
