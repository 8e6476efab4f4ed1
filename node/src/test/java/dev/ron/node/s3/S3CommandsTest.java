package dev.ron.node.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The S3 commands against a running node. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
final class S3CommandsTest {
  @TempDir private Path folder;
  private RunningNode node;
  private String token;

  @BeforeEach
  void start() throws Exception {
    node = RunningNode.start(folder.resolve("data"), Map.of());
    token = node.keys().adminToken();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void anObjectGoesThereAndBackInOneRequestAndInParts() throws Exception {
    ok("mb", "s3://photos");
    assertThat(ok("ls")).contains("  photos\n");
    Path small = Files.writeString(folder.resolve("a b ü+.txt"), "a few words\n");
    Path large = random("large.bin", 21 << 20);
    assertThat(ok("cp", small.toString(), "s3://photos/2026/"))
        .isEqualTo("upload " + small + " -> s3://photos/2026/a b ü+.txt\n");
    assertThat(ok("cp", "--json", large.toString(), "s3://photos/large"))
        .contains("\"size\":22020096", "\"verified\":\"MD5\"");
    assertThat(ok("ls", "s3://photos")).containsPattern("folder  2026/\n.* 22020096  large\n$");
    assertThat(ok("ls", "--json", "-r", "s3://photos"))
        .containsPattern("\\{\"key\":\"2026/a b ü\\+.txt\",\"size\":12,\"etag\":\"[0-9a-f]{32}\"")
        .containsPattern("\"key\":\"large\",\"size\":22020096,\"etag\":\"[0-9a-f]{32}-3\"");
    Path back = folder.resolve("back");
    assertThat(ok("cp", "--json", "s3://photos/large", back.toString()))
        .containsPattern("\"verified\":\"(MD5|CRC64NVME)\"");
    assertThat(back).hasSameBinaryContentAs(large);
    ok("cp", "s3://photos/2026/a b ü+.txt", folder + "/");
    assertThat(ok("cp", "s3://photos/2026/a b ü+.txt", "-")).isEqualTo("a few words\n");
    ok("cp", "s3://photos/large", "s3://photos/copy/");
    assertThat(ok("ls", "-r", "s3://photos/copy")).contains(" 22020096  copy/large\n");
    assertThat(fails("rb", "s3://photos")).contains("BucketNotEmpty");
    assertThat(fails("cp", "s3://photos/nothing", back.toString())).contains("NoSuchKey");
    assertThat(back).as("what was there stays").hasSameBinaryContentAs(large);
    ok("rm", "s3://photos/large");
    assertThat(ok("rb", "--force", "s3://photos")).endsWith("removed photos\n");
    assertThat(ok("ls")).isEmpty();
  }

  @Test
  void standardInputOfAnyLengthBecomesAnObject() throws Exception {
    ok("mb", "piped");
    InputStream before = System.in;
    byte[] bytes = new byte[(17 << 20) + 5];
    new Random(3).nextBytes(bytes);
    try {
      System.setIn(new ByteArrayInputStream(bytes));
      ok("cp", "-", "s3://piped/large");
      System.setIn(new ByteArrayInputStream(new byte[0]));
      ok("cp", "-", "s3://piped/empty", "--metadata", "who=me", "--content-type", "text/x-none");
    } finally {
      System.setIn(before);
    }
    assertThat(ok("ls", "s3://piped")).contains("          0  empty\n", "17825797  large\n");
    Path back = folder.resolve("back");
    ok("cp", "s3://piped/large", back.toString());
    assertThat(back).hasBinaryContent(bytes);
    HttpResponse<byte[]> read = send("GET", ok("presign", "s3://piped/empty").strip(), "");
    assertThat(read.headers().firstValue("x-amz-meta-who")).hasValue("me");
    assertThat(read.headers().firstValue("content-type")).hasValue("text/x-none");
  }

  @Test
  void aTreeIsCopiedAndKeptTheSame() throws Exception {
    Path tree = Files.createDirectories(folder.resolve("tree/deep/er")).getParent().getParent();
    Files.writeString(tree.resolve("one"), "1");
    Files.writeString(tree.resolve("deep/two"), "22");
    Files.writeString(tree.resolve("deep/er/three"), "333");
    ok("mb", "trees");
    assertThat(ok("cp", "-r", tree.toString(), "s3://trees/oak").lines()).hasSize(3);
    assertThat(ok("sync", tree.toString(), "s3://trees/oak")).as("nothing to do").isEmpty();
    Path back = folder.resolve("back");
    assertThat(ok("sync", "s3://trees/oak", back.toString()).lines()).hasSize(3);
    assertThat(ok("sync", "s3://trees/oak", back.toString())).as("times are kept").isEmpty();
    assertThat(back.resolve("deep/er/three")).hasContent("333");
    Files.writeString(back.resolve("deep/two"), "zz");
    Files.delete(back.resolve("one"));
    Files.writeString(back.resolve("four"), "4444");
    assertThat(ok("sync", "--delete", "--dry-run", back.toString(), "s3://trees/oak").lines())
        .containsExactlyInAnyOrder(
            "compare deep/two (not done: --dry-run)",
            "copy four (not done: --dry-run)",
            "delete one (not done: --dry-run)");
    assertThat(ok("sync", "--delete", back.toString(), "s3://trees/oak").lines()).hasSize(3);
    assertThat(ok("ls", "-r", "s3://trees").lines().map(line -> line.replaceAll(".* ", "")))
        .containsExactly("oak/deep/er/three", "oak/deep/two", "oak/four");
    assertThat(ok("sync", "s3://trees/oak/", "s3://trees/elm").lines()).hasSize(3);
    assertThat(ok("sync", "s3://trees/oak/", "s3://trees/elm")).as("same tags").isEmpty();
    assertThat(ok("cp", "s3://trees/elm/deep/two", "-")).isEqualTo("zz");
    assertThat(ok("rm", "-r", "s3://trees/elm").lines()).hasSize(3);
    assertThat(fails("sync", folder.resolve("absent").toString(), "s3://trees", "--delete"))
        .contains("is no folder");
  }

  @Test
  void aKeyThatLeadsOutOfTheFolderIsRefusedAndTheOthersAreCopied() throws Exception {
    ok("mb", "traps");
    Path file = Files.writeString(folder.resolve("file"), "x");
    ok("cp", file.toString(), "s3://traps/in/../../out");
    ok("cp", file.toString(), "s3://traps/in/good");
    Path target = folder.resolve("target/deep");
    Said said = s3("cp", "-r", "s3://traps/in", target.toString());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err()).contains("the key `../../out` is no name of a file");
    assertThat(target.resolve("good")).hasContent("x");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  /** A key may hold what a terminal obeys, and a line's end. */
  @Test
  void aKeyIsPrintedOnOneLineAndWithoutControlCodes() throws Exception {
    ok("mb", "s3://odd");
    Path file = Files.writeString(folder.resolve("file"), "x");
    String odd = "s3://odd/a\u001b[2J\nron: all is well";
    String shown = "s3://odd/a?[2J?ron: all is well";
    assertThat(ok("cp", file.toString(), odd))
        .isEqualTo("upload %s -> %s\n".formatted(file, shown));
    Path back = Files.createDirectory(folder.resolve("odd"));
    assertThat(ok("sync", "--dry-run", "s3://odd", back.toString()))
        .isEqualTo("copy a?[2J?ron: all is well (not done: --dry-run)\n");
    assertThat(ok("rm", odd)).isEqualTo("delete " + shown + "\n");
  }

  @Test
  void aPresignedAddressReadsAndWritesWithoutAKey() throws Exception {
    ok("mb", "shared");
    String put = ok("presign", "--put", "s3://shared/a b").strip();
    assertThat(send("PUT", put, "by a stranger").statusCode()).isEqualTo(200);
    String get = ok("presign", "--for", "10m", "s3://shared/a b").strip();
    assertThat(new String(send("GET", get, "").body(), UTF_8)).isEqualTo("by a stranger");
    assertThat(send("GET", get.replace("a%20b", "other"), "").statusCode()).isEqualTo(403);
    assertThat(fails("presign", "--for", "8d", "s3://shared/a")).contains("1s to 7d");
  }

  @Test
  void whatIsWrongIsSaidInWords() throws Exception {
    assertThat(fails("ls", "s3://absent")).contains("NoSuchBucket");
    assertThat(fails("cp", "a", "b")).contains("one of FROM and TO is an object");
    assertThat(fails("ls", "absent")).contains("is not s3://bucket/key");
    assertThat(fails("cp", "--part-size", "1", "a", "s3://b/c")).contains("from 5 to 1024");
    token = "";
    assertThat(fails("ls", "--access-key", "AKIDNONE", "--secret-key", "none"))
        .contains("InvalidAccessKeyId");
  }

  private HttpResponse<byte[]> send(String method, String url, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create(url))
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private Path random(String name, int size) throws Exception {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return Files.write(folder.resolve(name), bytes);
  }

  private String ok(String... args) {
    Said said = s3(args);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  private String fails(String... args) {
    Said said = s3(args);
    assertThat(said.exit()).as(said.out()).isEqualTo(1);
    return said.err();
  }

  private Said s3(String... args) {
    var all = new ArrayList<>(List.of("s3"));
    all.addAll(List.of(args));
    all.addAll(List.of("--endpoint", node.url("s3"), "--cap", token));
    return Said.by(all.toArray(String[]::new));
  }
}
