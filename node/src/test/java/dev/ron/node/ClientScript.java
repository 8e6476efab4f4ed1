package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.capability.KeyPair;
import dev.ron.capability.Macaroon;
import dev.ron.capability.MacaroonCodec;
import dev.ron.http.tls.DevCertificate;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of others, and a script that fails if anything is not right.
 *
 * <p>Only the script can tell that the program cannot be tried here: it says NOT RUN and why, and
 * ends with 77.
 *
 * @param program its name on the path, or its file
 * @param text of the script; {@code needs PYTHON MODULES} ends it where Python lacks those
 */
record ClientScript(String program, String text) {
  private static final int NOT_RUN = 77;
  private static final String BEFORE =
      """
      set -euo pipefail
      needs() { "$1" -c "import $2" 2>/dev/null || { echo "NOT RUN: $1 has no $2"; exit %d; }; }
      set -x
      """
          .formatted(NOT_RUN);

  /**
   * Runs it against a node of its own.
   *
   * @param folder where it runs, and its home
   * @param door whose address it is given as {@code URL} and {@code HOST}
   */
  void run(Path folder, String door) throws Exception {
    run(folder, door, Map.of(), Map.of());
  }

  /** The same over TLS, with a certificate that it is told to trust. */
  void runSecured(Path folder, String door, String section) throws Exception {
    DevCertificate pair = DevCertificate.make(folder.resolve("tls"), Instant.now());
    String trusted = pair.certificate().toString();
    run(
        folder,
        door,
        Map.of(section + ".tls_certificate", trusted, section + ".tls_key", pair.key().toString()),
        Map.of("AWS_CA_BUNDLE", trusted, "SSL_CERT_FILE", trusted, "CURL_CA_BUNDLE", trusted));
  }

  private void run(
      Path folder, String door, Map<String, String> settings, Map<String, String> environment)
      throws Exception {
    assumeTrue(
        isInstalled(program) && isInstalled("bash"),
        "NOT RUN: " + program + " is not installed, so it was not tried");
    try (RunningNode node = RunningNode.start(folder.resolve("data"), settings)) {
      run(folder, node, node.url(door), environment);
    }
  }

  private void run(Path folder, RunningNode node, String url, Map<String, String> environment)
      throws Exception {
    Path script = Files.writeString(folder.resolve("client.sh"), BEFORE + text);
    Path said = folder.resolve("said");
    var bash = new ProcessBuilder("bash", script.toString()).directory(folder.toFile());
    KeyPair pair = pair(node.keys().mint(List.of()));
    bash.environment().putAll(environment);
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
      assumeTrue(running.exitValue() != NOT_RUN, Files.readString(said));
      if (running.exitValue() != 0) {
        fail(program + " ends with " + running.exitValue() + ":\n" + Files.readString(said));
      }
    } finally {
      running.destroyForcibly();
    }
  }

  /** The key pair that a token is as well. */
  static KeyPair pair(String token) {
    return MacaroonCodec.decode(token) instanceof MacaroonCodec.Decoding.Decoded(Macaroon macaroon)
        ? KeyPair.of(macaroon)
        : fail("the node minted no token");
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder).resolve(program)));
  }
}
