package dev.ron.bench.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.SignedRequest;
import java.io.Closeable;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * One connection of a client that signs each of its requests, with the hash of the body in it.
 *
 * <p>Threading: owned by one worker.
 */
final class S3Line implements Closeable {
  private static final String LAST_PAGE = "<IsTruncated>false";
  private static final String TOKEN = "<NextContinuationToken>";
  private static final String COUNT = "<KeyCount>";

  private final LoopbackConnection wire;
  private final RequestSigner signer;
  private final String host;
  private String token = "";

  S3Line(LoopbackConnection wire, RequestSigner signer, String host) {
    this.wire = wire;
    this.signer = signer;
    this.host = host;
  }

  void put(String path, byte[] body) throws IOException {
    ask("PUT", path, "", body);
  }

  byte[] get(String path, String query) throws IOException {
    return ask("GET", path, query, new byte[0]);
  }

  /** The next page of a bucket, and behind the last the first again; answers how many keys. */
  int page(String bucket) throws IOException {
    String query = "list-type=2&max-keys=1000" + (token.isEmpty() ? "" : "&" + token);
    String page = new String(get("/" + bucket, query), UTF_8);
    token =
        page.contains(LAST_PAGE)
            ? ""
            : "continuation-token=" + RequestSigner.escaped(text(page, TOKEN), false);
    return Integer.parseInt(text(page, COUNT));
  }

  private static String text(String page, String element) throws IOException {
    int at = page.indexOf(element);
    if (at < 0) {
      throw new IOException("a page without " + element + ": " + page);
    }
    return page.substring(at + element.length(), page.indexOf('<', at + 1));
  }

  private byte[] ask(String method, String path, String query, byte[] body) throws IOException {
    var unsigned =
        new SignedRequest(method, path, query, List.of(new SignedRequest.Header("host", host)));
    SignedRequest signed =
        signer.sign(unsigned, new PayloadMode.Hashed(sha256(body)), Instant.now()).request();
    var head = new StringBuilder(method).append(' ').append(path);
    if (!query.isEmpty()) {
      head.append('?').append(query);
    }
    head.append(" HTTP/1.1\r\n");
    signed
        .headers()
        .forEach(each -> head.append(each.name()).append(": ").append(each.value()).append("\r\n"));
    head.append("content-length: ").append(body.length).append("\r\n\r\n");
    return wire.exchange(method + " " + path, head.toString(), body);
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
