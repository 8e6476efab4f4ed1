package dev.ron.client.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.client.StorageClient.Progress;
import dev.ron.content.S3Server;
import dev.ron.http.Headers;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mirror from a server that is not ours, whose files a test damages. */
@Timeout(120)
final class BucketMirrorTest {
  private static final Scope SCOPE = Scope.of("test", World.real(Log.silent()));
  private static final long PART_BYTES = 5 << 20;

  @TempDir private Path root;

  @Test
  void onlyBytesThatFitArriveAndASecondRunGoesOn() throws Exception {
    try (var server = new S3Server(Files.createDirectories(root.resolve("server")));
        var client = client(server)) {
      var source = new BucketPath(S3Server.BUCKET, "old/");
      var target = new BucketPath("mine", "new/");
      client.createBucket("mine");
      var fields = Headers.of("content-type", "text/x-poem", "x-amz-meta-who", "me");
      byte[] large = new byte[(11 << 20) + 3];
      new Random(1).nextBytes(large);
      Path file = Files.write(root.resolve("large"), large);
      new ObjectUpload(client, 2)
          .file(file, source.at("old/large"), fields, PART_BYTES, Progress.NONE);
      for (String name : List.of("old/a", "old/ü b", "old/rotten", "other")) {
        byte[] text = name.getBytes(UTF_8);
        client.put(source.at(name), fields, ObjectPayload.of(text, text.length));
      }
      Path rotten = server.file("old/rotten");
      Files.writeString(rotten, "old/rottEn");
      var first = new Heard();
      new BucketMirror(client, source, client, target).run(2, first);
      assertThat(first.lines)
          .contains("copied old/a MD5", "copied old/ü b MD5")
          .anyMatch(line -> line.startsWith("copied old/large "))
          .anyMatch(
              line ->
                  line.startsWith("failed old/rotten the source sent other bytes than it promises"))
          .hasSize(4);
      assertThat(client.head(target.at("new/rotten"))).as("a lie leaves nothing").isEmpty();
      ObjectHead copy = client.head(target.at("new/ü b")).orElseThrow();
      assertThat(copy.kept().first("content-type")).isEqualTo("text/x-poem");
      assertThat(copy.kept().first("x-amz-meta-who")).isEqualTo("me");
      var out = new ByteArrayOutputStream();
      new ObjectDownload(client, target.at("new/large"), Progress.NONE).to(out);
      assertThat(out.toByteArray()).isEqualTo(large);
      Files.writeString(rotten, "old/rotten");
      var second = new Heard();
      new BucketMirror(client, source, client, target).run(2, second);
      assertThat(second.lines)
          .containsExactlyInAnyOrder(
              "left old/a", "left old/ü b", "left old/large", "copied old/rotten MD5");
    }
  }

  private static BucketClient client(S3Server server) throws Exception {
    return new BucketClient(
        SCOPE,
        BucketEndpoint.signed(
            URI.create("http://127.0.0.1:" + server.address().getPort()),
            S3Server.CREDENTIALS.accessKey(),
            S3Server.CREDENTIALS.secretKey(),
            Optional.empty(),
            BucketEndpoint.REGION));
  }

  private static final class Heard implements BucketMirror.Listener {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void left(String key) {
      lines.add("left " + key);
    }

    @Override
    public void copied(String key, long size, String verified) {
      lines.add("copied " + key + " " + verified);
    }

    @Override
    public void failed(String key, Exception why) {
      lines.add("failed " + key + " " + why.getMessage());
    }
  }
}
