package dev.ron.node.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketEndpoint;
import dev.ron.client.bucket.BucketPath;
import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import dev.ron.node.cap.CapCommand;
import dev.ron.node.cli.CommandClient;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A mirror in a process of its own that is killed, and started again. */
@Timeout(180)
@ResourceLock(Resources.SYSTEM_OUT)
final class S3MirrorTest {
  private static final int OBJECTS = 40;

  @TempDir private Path folder;

  @Test
  void aMirrorThatIsKilledGoesOnWhereItWas() throws Exception {
    try (RunningNode theirs = RunningNode.start(folder.resolve("theirs"), Map.of());
        RunningNode mine = RunningNode.start(folder.resolve("mine"), Map.of())) {
      Path tree = Files.createDirectories(folder.resolve("tree/deep"));
      for (int i = 0; i < OBJECTS; i++) {
        Files.writeString(tree.resolve("o%02d".formatted(i)), "object " + i);
      }
      byte[] large = new byte[17 << 20];
      new Random(2).nextBytes(large);
      Files.write(tree.resolve("large"), large);
      ok(theirs, "mb", "old");
      ok(
          theirs,
          "cp",
          "-q",
          "-r",
          folder.resolve("tree").toString(),
          "s3://old",
          "--metadata",
          "who=me");
      tag(theirs, BucketPath.parse("s3://old/deep/o07"));

      List<String> mirror = mirror(theirs, mine);
      Process killed = new ProcessBuilder(command(mirror)).redirectErrorStream(true).start();
      try (BufferedReader said = killed.inputReader()) {
        // The first is the large one: it sorts before the others.
        for (int line = 0; line < 5; line++) {
          assertThat(said.readLine()).startsWith("copied deep/");
        }
        killed.destroyForcibly();
        assertThat(killed.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
      long there = ok(mine, "ls", "-r", "s3://new").lines().count();
      assertThat(there).isBetween(5L, (long) OBJECTS);

      Said again = Said.by(mirror.toArray(String[]::new));
      assertThat(again.exit()).as(again.err()).isZero();
      assertThat(again.out().lines().filter(line -> line.startsWith("copied deep/")))
          .hasSize((int) (OBJECTS + 1 - there));
      assertThat(again.out()).endsWith("; %d were there; 0 failed\n".formatted(there));
      Path back = folder.resolve("back");
      ok(mine, "cp", "-q", "-r", "s3://new", back.toString());
      assertThat(back.resolve("deep/large")).hasBinaryContent(large);
      for (int i = 0; i < OBJECTS; i++) {
        assertThat(back.resolve("deep/o%02d".formatted(i))).hasContent("object " + i);
      }
      var head = presigned(mine, "s3://new/deep/o07");
      assertThat(head.headers().firstValue("x-amz-meta-who")).hasValue("me");
      assertThat(head.headers().firstValue("x-amz-tagging-count")).hasValue("1");
    }
  }

  /** Tags are no command's; the client has them. */
  private static void tag(RunningNode node, BucketPath object) throws Exception {
    KeyPair pair = KeyPair.of(CapCommand.decoded(node.keys().adminToken()));
    var endpoint =
        BucketEndpoint.signed(
            URI.create(node.url("s3")),
            pair.accessKeyId(),
            pair.secret(),
            Optional.empty(),
            BucketEndpoint.REGION);
    try (var client = new BucketClient(CommandClient.scope(), endpoint)) {
      client.tag(object, List.of(new BucketClient.Tag("a b", "c&d<")));
      assertThat(client.tags(object)).containsExactly(new BucketClient.Tag("a b", "c&d<"));
    }
  }

  private static HttpResponse<String> presigned(RunningNode node, String path) throws Exception {
    String url = ok(node, "presign", path).strip();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static List<String> mirror(RunningNode theirs, RunningNode mine) throws Exception {
    KeyPair pair = KeyPair.of(CapCommand.decoded(theirs.keys().adminToken()));
    return List.of(
        "s3",
        "mirror",
        "s3://old",
        "s3://new",
        "--parallel",
        "1",
        "--from-endpoint",
        theirs.url("s3"),
        "--from-access-key",
        pair.accessKeyId(),
        "--from-secret-key",
        pair.secret(),
        "--endpoint",
        mine.url("s3"),
        "--cap",
        mine.keys().adminToken());
  }

  private static List<String> command(List<String> args) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.ron.node.Ron"));
    command.addAll(args);
    return command;
  }

  private static String ok(RunningNode node, String... args) throws Exception {
    var all = new ArrayList<>(List.of("s3"));
    all.addAll(List.of(args));
    all.addAll(List.of("--endpoint", node.url("s3"), "--cap", node.keys().adminToken()));
    Said said = Said.by(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }
}
