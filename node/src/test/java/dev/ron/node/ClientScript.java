package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.ron.capability.KeyPair;
import dev.ron.capability.Macaroon;
import dev.ron.capability.MacaroonCodec;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of others against a node, by a script that fails if anything is not right. */
final class ClientScript {
  private ClientScript() {}

  /**
   * @param folder where it runs, and its home
   * @param door whose address it is given as {@code URL} and {@code HOST}
   */
  static void run(Path folder, RunningNode node, String door, String name, String text)
      throws Exception {
    Path script =
        Files.writeString(folder.resolve("client.sh"), "set -euo pipefail\nset -x\n" + text);
    Path said = folder.resolve("said");
    var bash = new ProcessBuilder("bash", script.toString()).directory(folder.toFile());
    KeyPair pair = pair(node.keys().mint(List.of()));
    String url = node.url(door);
    bash.environment()
        .putAll(
            Map.of(
                "URL", url,
                "HOST", URI.create(url).getAuthority(),
                "HOME", folder.toString(),
                "AWS_ACCESS_KEY_ID", pair.accessKeyId(),
                "AWS_SECRET_ACCESS_KEY", pair.secret(),
                "AWS_DEFAULT_REGION", "us-east-1",
                "AWS_EC2_METADATA_DISABLED", "true"));
    Process running =
        bash.redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .redirectInput(new File("/dev/null"))
            .start();
    try {
      assertThat(running.waitFor(300, TimeUnit.SECONDS)).as("it ends").isTrue();
      if (running.exitValue() != 0) {
        fail(name + " ends with " + running.exitValue() + ":\n" + Files.readString(said));
      }
    } finally {
      running.destroyForcibly();
    }
  }

  private static KeyPair pair(String token) {
    return MacaroonCodec.decode(token) instanceof MacaroonCodec.Decoding.Decoded(Macaroon macaroon)
        ? KeyPair.of(macaroon)
        : fail("the node minted no token");
  }

  static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
