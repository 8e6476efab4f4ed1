package dev.ron.storage.s3.upload;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Section;
import dev.ron.config.Settings;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.StorageS3Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole S3 door on a free port, and a client that signs.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
final class MultipartRig implements AutoCloseable {
  static final String BUCKET = "/photos";

  private final KeyRing ring = KeyRing.generate(new Random(1));
  private final TokenMint mint = new TokenMint(ring, new Random(2));
  private final Scope scope;
  private final Tree tree;
  private final HttpServer door;
  private final HttpClient client = HttpClient.newHttpClient();
  private final KeyPair own = pair("main");

  private record Configs(StorageConfig storage, StorageS3Config s3) {}

  /** Settings below {@code storage.s3} as {@code key=value}; a bucket is there. */
  static MultipartRig open(Path folder, String... settings) throws Exception {
    var rig = new MultipartRig(folder, settings);
    if (rig.send("PUT", BUCKET, new byte[0]).statusCode() != 200) {
      throw new AssertionError("no bucket");
    }
    return rig;
  }

  private MultipartRig(Path folder, String... settings) throws Exception {
    scope = Scope.of("s3", World.real(Log.silent()));
    var verifier = new Verifier(new Trust(ring, Revocations.NONE));
    Configs configs = configs(folder, settings);
    StorageS3Service.Wired wired =
        StorageS3Service.wire(
            configs.s3(), configs.storage(), scope, Limits.OPEN, List.of(), verifier);
    door = wired.door();
    tree = wired.supervisor().start(scope);
  }

  private static Configs configs(Path folder, String... settings) {
    var flags = new HashMap<String, String>();
    flags.put("storage.bind", "127.0.0.1:0");
    flags.put("storage.data_dirs", folder.toString());
    flags.put("storage.free_min", "0B");
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      flags.put("storage.s3." + setting.substring(0, equals), setting.substring(equals + 1));
    }
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var draft = all.read("storage", MultipartRig::configs);
    all.check();
    return draft.value();
  }

  private static Configs configs(Section section) {
    return new Configs(
        StorageConfig.read(section), StorageS3Config.read(section.section("s3"), "127.0.0.1:0"));
  }

  /** A key pair of a tenant. */
  KeyPair pair(String tenant) {
    return KeyPair.of(mint.mint(List.of(new Caveat.Tenant(tenant))));
  }

  HttpResponse<byte[]> send(String method, String target, byte[] body, String... headers)
      throws IOException, InterruptedException {
    return send(own, method, target, body, headers);
  }

  HttpResponse<byte[]> send(
      KeyPair pair, String method, String target, byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest request =
        request(pair, method, target, HttpRequest.BodyPublishers.ofByteArray(body), headers);
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  CompletableFuture<HttpResponse<byte[]>> begin(
      String method, String target, BodyPublisher body, String... headers) {
    return client.sendAsync(
        request(own, method, target, body, headers), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpRequest request(
      KeyPair pair, String method, String target, BodyPublisher body, String... headers) {
    String host = "127.0.0.1:" + door.port();
    int mark = target.indexOf('?');
    var fields = new ArrayList<SignedRequest.Header>();
    fields.add(new SignedRequest.Header("host", host));
    for (int i = 0; i < headers.length; i += 2) {
      fields.add(new SignedRequest.Header(headers[i], headers[i + 1]));
    }
    var unsigned =
        new SignedRequest(
            method,
            mark < 0 ? target : target.substring(0, mark),
            mark < 0 ? "" : target.substring(mark + 1),
            fields);
    var signer =
        new RequestSigner(
            ServiceRules.S3, pair.accessKeyId(), pair.secret(), pair.sessionToken(), "us-east-1");
    SignedRequest signed =
        signer.sign(unsigned, new PayloadMode.Unsigned(), scope.time().wall()).request();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + host + target))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .method(method, body);
    for (SignedRequest.Header header : signed.headers()) {
      if (!header.name().equals("host")) {
        request.header(header.name(), header.value());
      }
    }
    return request.build();
  }

  /** Begins an upload and answers its id. */
  String create(String key, String... headers) throws IOException, InterruptedException {
    return element(send("POST", BUCKET + key + "?uploads", new byte[0], headers), "UploadId");
  }

  /** Sends a part and answers its entity tag. */
  String part(String key, String upload, int number, byte[] body, String... headers)
      throws IOException, InterruptedException {
    return send("PUT", part(key, upload, number), body, headers)
        .headers()
        .firstValue("ETag")
        .orElseThrow();
  }

  static String part(String key, String upload, int number) {
    return BUCKET + key + "?partNumber=" + number + "&uploadId=" + upload;
  }

  HttpResponse<byte[]> complete(String key, String upload, String document, String... headers)
      throws IOException, InterruptedException {
    return send("POST", BUCKET + key + "?uploadId=" + upload, document.getBytes(UTF_8), headers);
  }

  /** The document that names these parts, from 1 on. */
  static String parts(String... etags) {
    var text = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 0; i < etags.length; i++) {
      text.append(
          "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>".formatted(i + 1, etags[i]));
    }
    return text.append("</CompleteMultipartUpload>").toString();
  }

  /** The status, and the code of an error. */
  static String outcome(HttpResponse<byte[]> answer) {
    String text = new String(answer.body(), UTF_8);
    return text.contains("<Code>")
        ? answer.statusCode() + " " + element(answer, "Code")
        : String.valueOf(answer.statusCode());
  }

  static String element(HttpResponse<byte[]> answer, String name) {
    String text = new String(answer.body(), UTF_8);
    Matcher found = Pattern.compile("<" + name + ">([^<]*)</" + name + ">").matcher(text);
    if (!found.find()) {
      throw new AssertionError("no " + name + " in " + answer.statusCode() + " " + text);
    }
    return found.group(1).replace("&quot;", "\"");
  }

  /** Waits until so many blocks are stored. */
  void awaitBlocks(int count) throws InterruptedException {
    for (int look = 0; look < 2000; look++) {
      if (blocks() == count) {
        return;
      }
      scope.time().sleepUntil(scope.time().now().plus(Duration.ofMillis(20)));
    }
    throw new AssertionError("never %d blocks, but %d".formatted(count, blocks()));
  }

  private int blocks() {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith("content_objects{"))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The same bytes for the same seed. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void close() {
    client.close();
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
