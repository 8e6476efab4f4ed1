package dev.ron.node.cap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Short access key ids at the S3 door of a running node. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
final class KeyCommandTest {
  private static final Duration HEARD_WITHIN = Duration.ofSeconds(5);

  @TempDir private Path data;

  private record Pair(String id, String secret) {}

  @Test
  void aRegisteredKeyWorksWithinSecondsSurvivesARestartAndEnds() throws Exception {
    Pair made;
    try (RunningNode node = RunningNode.start(data, Map.of())) {
      made = create("--bucket", "logs");
      assertThat(made.id()).hasSize(20);
      until(node, made, 0, "mb", "s3://logs");
      assertThat(s3(node, made, "mb", "s3://other").exit()).as("not its bucket").isEqualTo(1);
      narrowedByASessionToken(node, made);
    }
    assertThat(Files.readString(data.resolve("keys/registered")))
        .contains(made.id())
        .doesNotContain(made.secret());
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("keys/registered"))))
        .isEqualTo("rw-------");
    try (RunningNode node = RunningNode.start(data, Map.of())) {
      assertThat(s3(node, made, "ls", "s3://logs").exit()).as("after a restart").isZero();
      assertThat(key("list").out()).contains(made.id(), "bucket = logs");
      assertThat(key("revoke", made.id()).out()).contains("revoked " + made.id());
      until(node, made, 1, "ls", "s3://logs");
      assertThat(key("list").out()).isEmpty();
      assertThat(key("revoke", made.id()).err()).contains("is not registered");
    }
  }

  /** As a holder does it who has the short id and the secret, and nothing else. */
  private void narrowedByASessionToken(RunningNode node, Pair pair) throws Exception {
    String caveat = "op = list";
    var bytes = new ByteArrayOutputStream();
    bytes.write(2);
    bytes.write(2);
    bytes.write(caveat.length());
    bytes.writeBytes(caveat.getBytes(UTF_8));
    bytes.write(0);
    bytes.write(0);
    Base64.Encoder text = Base64.getUrlEncoder().withoutPadding();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getUrlDecoder().decode(pair.secret()), "HmacSHA256"));
    String token = text.encodeToString(bytes.toByteArray());
    var narrow = new Pair(pair.id(), text.encodeToString(mac.doFinal(caveat.getBytes(UTF_8))));
    Path file = Files.writeString(data.resolve("file"), "x");
    assertThat(s3(node, narrow, "ls", "s3://logs", "--session-token", token).exit()).isZero();
    assertThat(
            s3(node, narrow, "cp", file.toString(), "s3://logs/x", "--session-token", token).err())
        .contains("AccessDenied");
    assertThat(s3(node, narrow, "ls", "s3://logs").err()).contains("SignatureDoesNotMatch");
    assertThat(s3(node, pair, "cp", file.toString(), "s3://logs/x").exit()).isZero();
  }

  private void until(RunningNode node, Pair pair, int exit, String... args) throws Exception {
    long end = System.nanoTime() + HEARD_WITHIN.toNanos();
    while (s3(node, pair, args).exit() != exit) {
      assertThat(System.nanoTime()).as("heard within five seconds").isLessThan(end);
    }
  }

  private Pair create(String... caveats) {
    var args = new ArrayList<>(List.of("create"));
    args.addAll(List.of(caveats));
    Said said = key(args.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    String[] lines =
        said.out().lines().map(line -> line.replaceAll(".* ", "")).toArray(String[]::new);
    return new Pair(lines[0], lines[1]);
  }

  private Said key(String... args) {
    var all = new ArrayList<>(List.of("s3", "key"));
    all.addAll(List.of(args));
    all.addAll(List.of("--data", data.toString()));
    return Said.by(all.toArray(String[]::new));
  }

  private static Said s3(RunningNode node, Pair pair, String... args) {
    var all = new ArrayList<>(List.of("s3"));
    all.addAll(List.of(args));
    all.addAll(
        List.of(
            "--endpoint",
            node.url("s3"),
            "--access-key",
            pair.id(),
            "--secret-key",
            pair.secret()));
    return Said.by(all.toArray(String[]::new));
  }
}
