package dev.ron.node.s3;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ParallelWork;
import dev.ron.node.cli.ProgressBar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Copies a file or object, or a tree of them.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "cp",
    description =
        "Copy between files and objects, verified; `-` is standard input or output. A path that"
            + " ends in a slash is a folder.")
final class S3CopyCommand implements Callable<Integer> {
  @Mixin private final S3Options s3 = new S3Options();
  @Mixin private final S3Transfers transfers = new S3Transfers();

  @Parameters(index = "0", paramLabel = "FROM")
  private String from = "";

  @Parameters(index = "1", paramLabel = "TO")
  private String to = "";

  @Option(
      names = {"-r", "--recursive"},
      description = "All below FROM.")
  private boolean recursive;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!BucketPath.isOne(from) && !BucketPath.isOne(to)) {
      throw new IllegalArgumentException("one of FROM and TO is an object: s3://bucket/key");
    }
    transfers.with(s3);
    try (BucketClient client = s3.client()) {
      if (recursive) {
        tree(client);
      } else {
        one(client);
      }
    }
    return transfers.exit();
  }

  private void one(BucketClient client) throws IOException, InterruptedException {
    if (!BucketPath.isOne(from)) {
      BucketPath target = named(BucketPath.parse(to), from);
      try (ProgressBar bar = transfers.bar(from)) {
        if (from.equals("-")) {
          transfers.uploadInput(client, target, bar);
        } else {
          transfers.upload(client, Path.of(from), target, bar);
        }
      }
      return;
    }
    BucketPath source = BucketPath.parse(from);
    if (source.name().isEmpty()) {
      throw new IllegalArgumentException(from + " is a folder: copy it with --recursive");
    }
    if (BucketPath.isOne(to)) {
      transfers.copy(client, source, named(BucketPath.parse(to), source.name()));
    } else if (to.equals("-")) {
      transfers.downloadOutput(client, source);
    } else {
      Path target = Path.of(to);
      boolean folder = to.endsWith("/") || Files.isDirectory(target);
      try (ProgressBar bar = transfers.bar(source.name())) {
        Path file = folder ? S3Transfers.inside(target, source.name()) : target;
        transfers.download(client, source, file, bar);
      }
    }
  }

  /** A target that is a folder gets the source's name. */
  private static BucketPath named(BucketPath target, String source) {
    if (!target.name().isEmpty()) {
      return target;
    }
    if (source.equals("-")) {
      throw new IllegalArgumentException("standard input has no name: say s3://bucket/key");
    }
    Path name = Path.of(source).getFileName();
    return target.below(name == null ? source : name.toString());
  }

  private void tree(BucketClient client) throws IOException, InterruptedException {
    SyncSide source = SyncSide.of(client, from);
    transfers
        .work()
        .run(
            () -> {
              SyncSide.@Nullable Entry entry = source.next();
              return entry == null ? null : job(client, entry.name());
            });
  }

  private ParallelWork.Job job(BucketClient client, String name) {
    return transfers.counted(name, S3SyncCommand.transfer(transfers, client, from, to, name));
  }
}
