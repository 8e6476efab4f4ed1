package dev.ron.node.s3;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ObjectPayload;
import dev.ron.client.bucket.ParallelWork;
import dev.ron.client.bucket.SyncPlan;
import dev.ron.node.cli.ProgressBar;
import dev.ron.node.profile.TextTable;
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
 * Makes a folder or prefix like another one.
 *
 * <p>Both sides come in the order of their names, so they are merged without either in memory.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "sync",
    description =
        "Copy what TO lacks or has otherwise: by size and entity tag, and by time where there is"
            + " none to compare.")
final class S3SyncCommand implements Callable<Integer> {
  @Mixin private final S3Options s3 = new S3Options();
  @Mixin private final S3Transfers transfers = new S3Transfers();

  @Parameters(index = "0", paramLabel = "FROM")
  private String from = "";

  @Parameters(index = "1", paramLabel = "TO")
  private String to = "";

  @Option(names = "--delete", description = "Delete at TO what FROM does not have.")
  private boolean delete;

  @Option(names = "--dry-run", description = "Print what would be done.")
  private boolean dry;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!BucketPath.isOne(from) && !BucketPath.isOne(to)) {
      throw new IllegalArgumentException("one of FROM and TO is in a bucket: s3://bucket/prefix");
    }
    if (!BucketPath.isOne(from) && !Files.isDirectory(Path.of(from))) {
      // With --delete an empty source would empty the target.
      throw new IllegalArgumentException(from + " is no folder");
    }
    transfers.with(s3);
    try (BucketClient client = s3.client()) {
      var merge = new Merge(client, SyncSide.of(client, from), SyncSide.of(client, to));
      transfers.work().run(merge::next);
    }
    return transfers.exit();
  }

  /** Walks both sides at once. */
  private final class Merge {
    private final BucketClient client;
    private final SyncSide sources;
    private final SyncSide targets;
    private SyncSide.@Nullable Entry source;
    private SyncSide.@Nullable Entry target;
    private boolean begun;

    Merge(BucketClient client, SyncSide sources, SyncSide targets) {
      this.client = client;
      this.sources = sources;
      this.targets = targets;
    }

    ParallelWork.@Nullable Job next() throws IOException, InterruptedException {
      if (!begun) {
        begun = true;
        source = sources.next();
        target = targets.next();
      }
      while (source != null || target != null) {
        ParallelWork.Job job = step();
        if (job != null) {
          return job;
        }
      }
      return null;
    }

    private ParallelWork.@Nullable Job step() throws IOException, InterruptedException {
      SyncSide.Entry here = source;
      SyncSide.Entry there = target;
      int order =
          here == null
              ? 1
              : there == null ? -1 : SyncPlan.KEY_ORDER.compare(here.name(), there.name());
      if (order <= 0) {
        source = sources.next();
      }
      if (order >= 0) {
        target = targets.next();
      }
      if (order > 0 && there != null) {
        return delete ? job("delete", there.name(), removal(client, there.name())) : null;
      }
      if (here == null) {
        return null;
      }
      SyncPlan.Step step =
          there == null ? SyncPlan.Step.COPY : SyncPlan.decide(here.side(), there.side());
      ParallelWork.Job copy = transfer(transfers, client, from, to, here.name());
      return switch (step) {
        case LEAVE -> null;
        case COPY -> job("copy", here.name(), copy);
        case COMPARE ->
            job(
                "compare",
                here.name(),
                () -> {
                  String etag =
                      here.side().etag().isEmpty() && there != null
                          ? there.side().etag()
                          : here.side().etag();
                  if (!etag.equals(md5(here.name()))) {
                    copy.run();
                  }
                });
      };
    }

    private String md5(String name) throws IOException {
      Path folder = Path.of(BucketPath.isOne(from) ? to : from);
      return ObjectPayload.md5Hex(S3Transfers.inside(folder, name));
    }
  }

  private ParallelWork.Job job(String what, String name, ParallelWork.Job job) {
    return transfers.counted(name, dry ? () -> System.out.println(planned(what, name)) : job);
  }

  private static String planned(String what, String name) {
    return TextTable.plain(what + " " + name) + " (not done: --dry-run)";
  }

  private ParallelWork.Job removal(BucketClient client, String name) {
    return BucketPath.isOne(to)
        ? () -> transfers.delete(client, below(to, name))
        : () -> transfers.deleteFile(S3Transfers.inside(Path.of(to), name));
  }

  /** One name of a tree, whichever side is a folder. */
  static ParallelWork.Job transfer(
      S3Transfers transfers, BucketClient client, String from, String to, String name) {
    if (!BucketPath.isOne(from)) {
      return () ->
          transfers.upload(client, Path.of(from).resolve(name), below(to, name), ProgressBar.NONE);
    }
    return BucketPath.isOne(to)
        ? () -> transfers.copy(client, below(from, name), below(to, name))
        : () ->
            transfers.download(
                client, below(from, name), S3Transfers.inside(Path.of(to), name), ProgressBar.NONE);
  }

  private static BucketPath below(String place, String name) {
    BucketPath folder = SyncSide.folder(BucketPath.parse(place));
    return folder.at(folder.key() + name);
  }
}
