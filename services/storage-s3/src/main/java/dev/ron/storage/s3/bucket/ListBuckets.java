package dev.ron.storage.s3.bucket;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Caller;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the caller's buckets; the operator's list has all.
 *
 * <p>Threading: immutable.
 */
public record ListBuckets(NameView view) implements S3Verb<ListBuckets.Request, ListBuckets.Reply> {
  private static final int MAX = 10_000;

  /**
   * @param after the last name of the page before; empty for the first
   */
  public record Request(S3Caller caller, String owner, String prefix, String after, int max) {}

  /**
   * @param more whether there is another page
   */
  public record Reply(Request request, List<Bucket> buckets, boolean more) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.LIST_BUCKETS;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    return new Request(
        call.caller(),
        call.owner(),
        call.query().value("prefix").orElse(""),
        call.query().value("continuation-token").orElse(""),
        call.query().number("max-buckets", MAX, 1, MAX));
  }

  @Override
  public Reply handle(Request request) {
    if (request.caller() instanceof S3Caller.Anonymous) {
      return new Reply(request, List.of(), false);
    }
    var found = new ArrayList<Bucket>();
    view.buckets(
        bucket -> {
          String name = bucket.name().text();
          if (!bucket.name().equals(BucketName.RECORDS)
              && (request.caller().isOperator() || bucket.owner().equals(request.owner()))
              && name.startsWith(request.prefix())
              && name.compareTo(request.after()) > 0) {
            found.add(bucket);
          }
          return found.size() <= request.max();
        });
    boolean more = found.size() > request.max();
    return new Reply(request, more ? found.subList(0, request.max()) : found, more);
  }

  @Override
  public Answer write(Reply reply) {
    XmlWriter xml = XmlWriter.document("ListAllMyBucketsResult");
    xml.begin("Owner").text("ID", reply.request().owner());
    xml.text("DisplayName", reply.request().owner()).end();
    xml.begin("Buckets");
    for (Bucket bucket : reply.buckets()) {
      xml.begin("Bucket")
          .text("Name", bucket.name().text())
          .text("CreationDate", XmlTime.of(bucket.createdMillis()))
          .end();
    }
    xml.end();
    if (reply.more()) {
      xml.text("ContinuationToken", reply.buckets().getLast().name().text());
    }
    if (!reply.request().prefix().isEmpty()) {
      xml.text("Prefix", reply.request().prefix());
    }
    return Answer.bytes(200, "application/xml", xml.bytes());
  }
}
