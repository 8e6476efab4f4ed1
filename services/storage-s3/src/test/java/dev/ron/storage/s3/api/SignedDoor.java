package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Settings;
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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An S3 door on a free port over names and blocks in memory, and callers that sign what they send.
 *
 * <p>Threading: owned by the test.
 */
final class SignedDoor implements AutoCloseable {
  private final SplittableRandom random = new SplittableRandom(11);
  private final KeyRing ring = KeyRing.generate(random);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Tree tree;
  private final int port;

  private record Configs(StorageConfig storage, StorageS3Config s3) {}

  SignedDoor() throws Exception {
    Map<String, String> flags =
        Map.of(
            "storage.bind", "127.0.0.1:0",
            "storage.amnesia", "true",
            "storage.s3.object_bytes", "1MiB");
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    var configs =
        settings.read(
            "storage",
            section ->
                new Configs(
                    StorageConfig.read(section),
                    StorageS3Config.read(section.section("s3"), "127.0.0.1:0")));
    settings.check();
    Scope scope = Scope.of("s3", World.real(Log.silent()));
    StorageS3Service.Wired wired =
        StorageS3Service.wire(
            configs.value().s3(),
            configs.value().storage(),
            scope,
            Limits.OPEN,
            List.of(),
            new Verifier(new Trust(ring, new Revocations(Set.of()))));
    tree = wired.supervisor().start(scope);
    port = wired.door().port();
  }

  /** A tenant whose key pair also has these caveats. */
  Caller tenant(String name, Caveat... more) {
    var caveats = new ArrayList<Caveat>();
    caveats.add(new Caveat.Service(Set.of("s3")));
    caveats.add(new Caveat.Tenant(name));
    caveats.addAll(List.of(more));
    return new Caller(KeyPair.of(new TokenMint(ring, random).mint(caveats)));
  }

  /** A caller that shows no key. */
  Caller anonymous() {
    return new Caller(null);
  }

  /** What came back. */
  record Told(int status, HttpResponse<byte[]> answer) {
    String text() {
      return new String(answer.body(), UTF_8);
    }

    /** The status, with the code of an error. */
    String brief() {
      Matcher code = Pattern.compile("<Code>([^<]*)</Code>").matcher(text());
      return code.find() ? status + " " + code.group(1) : Integer.toString(status);
    }

    String header(String name) {
      return answer.headers().firstValue(name).orElse("none");
    }
  }

  /** Sends requests with one key pair. */
  final class Caller {
    private final @Nullable KeyPair pair;

    private Caller(@Nullable KeyPair pair) {
      this.pair = pair;
    }

    /**
     * @param target path and query, as they go over the wire
     * @param headers names and values in turn
     */
    Told send(String method, String target, String body, String... headers) throws Exception {
      return send(
          method, target, HttpRequest.BodyPublishers.ofByteArray(body.getBytes(UTF_8)), headers);
    }

    Told send(String method, String target, HttpRequest.BodyPublisher body, String... headers)
        throws Exception {
      int mark = target.indexOf('?');
      String path = mark < 0 ? target : target.substring(0, mark);
      String query = mark < 0 ? "" : target.substring(mark + 1);
      var unsigned =
          new SignedRequest(
              method, path, query, List.of(new SignedRequest.Header("host", "127.0.0.1:" + port)));
      for (int i = 0; i < headers.length; i += 2) {
        unsigned = unsigned.with(headers[i], headers[i + 1]);
      }
      SignedRequest signed = pair == null ? unsigned : signed(pair, unsigned);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
              .timeout(Duration.ofSeconds(60))
              .method(method, body);
      for (SignedRequest.Header header : signed.headers()) {
        if (!header.name().equals("host")) {
          request.header(header.name(), header.value());
        }
      }
      HttpResponse<byte[]> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new Told(answer.statusCode(), answer);
    }

    private static SignedRequest signed(KeyPair pair, SignedRequest unsigned) {
      return new RequestSigner(
              ServiceRules.S3, pair.accessKeyId(), pair.secret(), pair.sessionToken(), "us-east-1")
          .sign(unsigned, new PayloadMode.Unsigned(), Instant.now())
          .request();
    }

    String get(String target, String... headers) throws Exception {
      return send("GET", target, "", headers).brief();
    }

    String put(String target, String body, String... headers) throws Exception {
      return send("PUT", target, body, headers).brief();
    }

    String delete(String target, String... headers) throws Exception {
      return send("DELETE", target, "", headers).brief();
    }
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
