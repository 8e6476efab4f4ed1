package dev.ron.storage.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.upload.Upload;
import java.util.List;

/**
 * {@code GET /o/uploads/{upload}}: which parts are there.
 *
 * <p>Threading: immutable.
 */
record ShowUpload(StorageContext context) implements Verb<UploadName, ShowUpload.Reply> {
  /**
   * An upload.
   *
   * @param parts runs of parts, both ends included
   * @param size of all parts together
   */
  record Reply(String upload, List<List<Integer>> parts, long size) {
    static Reply of(Upload upload) {
      Upload.Status now = upload.status();
      return new Reply(
          upload.id(),
          now.runs().stream().map(run -> List.of(run.first(), run.last())).toList(),
          now.sizeBytes());
    }
  }

  @Override
  public UploadName parse(Exchange exchange) throws Refusal {
    return UploadName.of(context, exchange);
  }

  @Override
  public Reply handle(UploadName name) throws Refusal {
    return Reply.of(context.upload(name));
  }
}
