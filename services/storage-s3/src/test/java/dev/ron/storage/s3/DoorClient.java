package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Signs requests and sends them.
 *
 * <p>Threading: thread-safe.
 */
record DoorClient(HttpClient http, int port) {
  private static final RequestSigner SIGNER =
      new RequestSigner(
          ServiceRules.S3,
          DoorRig.PAIR.accessKeyId(),
          DoorRig.PAIR.secret(),
          Optional.empty(),
          "us-east-1");

  /**
   * @param target path and query
   */
  HttpResponse<byte[]> send(String method, String target, byte[] body, String... fields)
      throws IOException, InterruptedException {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? "" : target.substring(mark + 1);
    List<SignedRequest.Header> headers = new ArrayList<>();
    headers.add(new SignedRequest.Header("host", "127.0.0.1:" + port));
    for (int i = 0; i < fields.length; i += 2) {
      headers.add(new SignedRequest.Header(fields[i], fields[i + 1]));
    }
    SignedRequest signed =
        SIGNER
            .sign(
                new SignedRequest(method, path, query, headers),
                new PayloadMode.Unsigned(),
                Instant.now())
            .request();
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    for (SignedRequest.Header header : signed.headers()) {
      if (!header.name().equals("host")) {
        request.header(header.name(), header.value());
      }
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  int put(String path, byte[] body, String... fields) throws IOException, InterruptedException {
    return send("PUT", path, body, fields).statusCode();
  }

  /**
   * @param source path of the object
   */
  int copy(String source, String path) throws IOException, InterruptedException {
    return put(path, new byte[0], "x-amz-copy-source", source);
  }

  int delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, new byte[0]).statusCode();
  }

  HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return send("GET", path, new byte[0]);
  }

  /** One part, then the completion; the status of whichever failed first. */
  int upload(String path, byte[] body, String... fields) throws IOException, InterruptedException {
    HttpResponse<byte[]> begun = send("POST", path + "?uploads", new byte[0]);
    if (begun.statusCode() != 200) {
      return begun.statusCode();
    }
    String id = found(text(begun), "<UploadId>([^<]*)</UploadId>");
    String part = path + "?partNumber=1&uploadId=" + id;
    String tag = send("PUT", part, body).headers().firstValue("ETag").orElse("none");
    String parts =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>"
                .formatted(tag)
            + "</CompleteMultipartUpload>";
    HttpResponse<byte[]> answer =
        send("POST", path + "?uploadId=" + id, parts.getBytes(UTF_8), fields);
    boolean late = answer.statusCode() == 200 && text(answer).contains("<Error>");
    return late ? 500 : answer.statusCode();
  }

  static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), UTF_8);
  }

  /** What a pattern's first group matches, each time it does. */
  static List<String> all(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(each -> each.group(1)).toList();
  }

  private static String found(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("no %s in %s".formatted(pattern, text));
    }
    return matcher.group(1);
  }
}
