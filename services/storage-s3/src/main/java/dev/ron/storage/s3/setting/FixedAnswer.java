package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.function.Function;

/**
 * What clients ask of a bucket and is the same for all: things that cannot be set here.
 *
 * <p>Threading: immutable.
 *
 * @param right what the caller must be allowed to do
 */
public record FixedAnswer(S3Action right, Fixed fixed) implements S3Verb<Bucket, byte[]> {
  /** What is answered. */
  sealed interface Fixed {
    @SuppressWarnings("ArrayRecordComponent") // never compared, and handed on without a copy
    record Document(byte[] bytes) implements Fixed {}

    /**
     * @param fault of the bucket's name
     */
    record Absent(Function<String, S3Fault> fault) implements Fixed {}
  }

  /** A document that says nothing: the thing is off. */
  public static FixedAnswer empty(S3Action right, String root) {
    return new FixedAnswer(right, new Fixed.Document(XmlWriter.document(root).bytes()));
  }

  /** A document that says one thing. */
  public static FixedAnswer of(S3Action right, String root, String name, String value) {
    return new FixedAnswer(
        right, new Fixed.Document(XmlWriter.document(root).text(name, value).bytes()));
  }

  /** The bucket has none. */
  public static FixedAnswer absent(S3Action right, Function<String, S3Fault> fault) {
    return new FixedAnswer(right, new Fixed.Absent(fault));
  }

  @Override
  public S3Action action(S3Call call) {
    return right;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public byte[] handle(Bucket bucket) throws Refusal {
    return switch (fixed) {
      case Fixed.Document(byte[] bytes) -> bytes;
      case Fixed.Absent(var fault) -> throw Refusal.of(fault.apply(bucket.name().text()));
    };
  }

  @Override
  public Answer write(byte[] document) {
    return Answer.bytes(200, "application/xml", document);
  }
}
