package dev.ron.node.backup;

import dev.ron.client.bucket.BucketPath;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.s3.S3Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which repository, who asks there, and the passphrase of its secrets. */
final class RepositoryOptions {
  private static final String VARIABLE = "RON_BACKUP_PASSPHRASE";

  @Mixin private final S3Options s3 = new S3Options();

  @Option(
      names = "--passphrase-file",
      description = "Its first line guards the keys; the variable " + VARIABLE + " if not given.")
  private @Nullable Path passphraseFile;

  BackupRepository open(String place) throws IOException {
    return BucketPath.isOne(place)
        ? new BucketRepository(s3.client(), BucketPath.parse(place))
        : new FolderRepository(new RealDisk(), Path.of(place));
  }

  Optional<char[]> passphrase(Map<String, String> environment) throws IOException {
    String words;
    if (passphraseFile != null) {
      words = Files.readString(passphraseFile).lines().findFirst().orElse("");
      if (words.isEmpty()) {
        throw new IllegalArgumentException(passphraseFile + " has no first line");
      }
    } else {
      words = environment.getOrDefault(VARIABLE, "");
    }
    return words.isEmpty() ? Optional.empty() : Optional.of(words.toCharArray());
  }
}
