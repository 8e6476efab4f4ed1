package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.capability.KeyPair;
import dev.ron.capability.Macaroon;
import dev.ron.capability.MacaroonCodec;
import java.io.File;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** People's own clients of S3 against a running node, with nothing changed but the endpoint. */
class S3ClientsTest {
  private static final int LARGE_BYTES = 12 << 20;
  private static final int NOT_RUN = 77;

  @TempDir private Path folder;

  /** A program, and a script that fails if anything is not as it should be. */
  enum Client {
    AWS(
        "aws",
        """
        s3() { aws --endpoint-url "$S3" s3 "$@"; }
        s3 mb s3://aws-bucket
        s3 cp small.txt "s3://aws-bucket/a b/ü+.txt"
        s3 cp large.bin s3://aws-bucket/large.bin
        s3 cp s3://aws-bucket/large.bin back.bin
        cmp large.bin back.bin
        s3 cp s3://aws-bucket/large.bin s3://aws-bucket/copy.bin
        s3 ls --recursive s3://aws-bucket | grep -c . | grep -x 3
        s3 cp "s3://aws-bucket/a b/ü+.txt" - | cmp - small.txt
        s3 rb --force s3://aws-bucket
        """),
    RCLONE(
        "rclone",
        """
        unset AWS_CA_BUNDLE
        export RCLONE_CONFIG_RON_TYPE=s3 RCLONE_CONFIG_RON_PROVIDER=Other RCLONE_CONFIG=/dev/null
        export RCLONE_CONFIG_RON_ACCESS_KEY_ID="$AWS_ACCESS_KEY_ID"
        export RCLONE_CONFIG_RON_SECRET_ACCESS_KEY="$AWS_SECRET_ACCESS_KEY"
        export RCLONE_CONFIG_RON_ENDPOINT="$S3" RCLONE_CONFIG_RON_FORCE_PATH_STYLE=true
        mkdir -p tree/deep && cp small.txt tree/deep/ && cp large.bin tree/
        rclone mkdir ron:rclone-bucket
        rclone copy tree ron:rclone-bucket/tree --s3-upload-cutoff 5M --s3-chunk-size 5M
        rclone check tree ron:rclone-bucket/tree --download
        rclone copyto ron:rclone-bucket/tree/large.bin ron:rclone-bucket/copy.bin
        rclone purge ron:rclone-bucket
        """),
    RESTIC(
        "restic",
        """
        export RESTIC_REPOSITORY="s3:$S3/restic-bucket/backups" RESTIC_PASSWORD=no-secret
        export RESTIC_CACHE_DIR="$PWD/cache"
        restic -q init
        restic -q backup small.txt large.bin
        restic -q check --read-data
        restic -q restore latest --target restored
        cmp large.bin "$(find restored -name large.bin)"
        restic -q forget --keep-last 1 --prune
        """),
    S3CMD(
        "s3cmd",
        """
        s3() { s3cmd --no-ssl --host="$HOST" --host-bucket="$HOST" --region=us-east-1 \\
          --access_key="$AWS_ACCESS_KEY_ID" --secret_key="$AWS_SECRET_ACCESS_KEY" -q "$@"; }
        s3 mb s3://s3cmd-bucket
        s3 put --multipart-chunk-size-mb=5 large.bin s3://s3cmd-bucket/large.bin
        s3 put small.txt s3://s3cmd-bucket/small.txt
        s3 get --force s3://s3cmd-bucket/large.bin back.bin
        cmp large.bin back.bin
        s3 cp s3://s3cmd-bucket/small.txt s3://s3cmd-bucket/copy.txt
        s3 del --recursive --force s3://s3cmd-bucket
        s3 rb s3://s3cmd-bucket
        """),
    /** The one on the path, which may be a newer one. */
    BOTO3("python3", boto("python3")),
    /** The system's own, of the years before checksums by default. */
    BOTO3_OF_THE_SYSTEM("/usr/bin/python3", boto("/usr/bin/python3")),
    S3FS(
        "s3fs",
        """
        [ -w /dev/fuse ] || { echo "NOT RUN: /dev/fuse cannot be opened"; exit 77; }
        echo "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" > passwd && chmod 600 passwd
        unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
        mkdir mounted
        curl -sS --fail -X PUT --aws-sigv4 aws:amz:us-east-1:s3 --user "$(cat passwd)" \\
          -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$S3/s3fs-bucket"
        s3fs s3fs-bucket mounted -o url="$S3" -o use_path_request_style -o passwd_file=passwd \\
          || { echo "NOT RUN: s3fs cannot mount here"; exit 77; }
        trap 'umount mounted || fusermount -u mounted' EXIT
        mkdir mounted/deep
        cp small.txt mounted/deep/small.txt
        cp large.bin mounted/large.bin
        cmp large.bin mounted/large.bin
        mv mounted/deep/small.txt mounted/deep/moved.txt
        cat small.txt >> mounted/deep/moved.txt
        [ "$(wc -l < mounted/deep/moved.txt)" = 2 ]
        ls mounted/deep | grep -x moved.txt
        rm mounted/deep/moved.txt mounted/large.bin
        rmdir mounted/deep
        """);

    private static String boto(String python) {
      return """
      %1$s -c 'import boto3' 2>/dev/null || { echo "NOT RUN: %1$s has no boto3"; exit 77; }
      %1$s boto.py
      """
          .formatted(python);
    }

    private final String program;
    private final String script;

    Client(String program, String script) {
      this.program = program;
      this.script = script;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientWorksUnchanged(Client client) throws Exception {
    assumeTrue(
        isInstalled(client.program) && isInstalled("bash"),
        "NOT RUN: " + client.program + " is not installed, so it was not tried");
    byte[] large = new byte[LARGE_BYTES];
    new Random(1).nextBytes(large);
    Files.write(folder.resolve("large.bin"), large);
    Files.writeString(folder.resolve("small.txt"), "a few words\n");
    try (InputStream script = S3ClientsTest.class.getResourceAsStream("boto.py")) {
      Files.copy(Objects.requireNonNull(script), folder.resolve("boto.py"));
    }
    try (RunningNode node =
        RunningNode.start(folder.resolve("data"), Map.of("node.base_port", "0"))) {
      run(client, node);
    }
  }

  private void run(Client client, RunningNode node) throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("client.sh"), "set -euo pipefail\nset -x\n" + client.script);
    Path said = folder.resolve("said");
    var bash = new ProcessBuilder("bash", script.toString()).directory(folder.toFile());
    KeyPair pair = pair(node.keys().mint(List.of()));
    String url = node.url("s3");
    bash.environment()
        .putAll(
            Map.of(
                "S3", url,
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
      assertThat(running.waitFor(120, TimeUnit.SECONDS)).as("it ends").isTrue();
      // Only the client itself can tell that it cannot be tried here.
      assumeTrue(running.exitValue() != NOT_RUN, Files.readString(said));
      if (running.exitValue() != 0) {
        fail(client + " ends with " + running.exitValue() + ":\n" + Files.readString(said));
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

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder).resolve(program)));
  }
}
