package dev.ron.node.s3;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ListedObject;
import dev.ron.client.bucket.ListedObjects;
import dev.ron.config.value.Durations;
import dev.ron.node.cap.KeyCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Buckets and objects, for people without a client of S3.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "s3",
    description = "Buckets and objects of Ron's S3 door, or of any other S3.",
    subcommands = {
      S3ListCommand.class,
      S3CopyCommand.class,
      S3SyncCommand.class,
      S3MirrorCommand.class,
      KeyCommand.class,
      S3Command.Make.class,
      S3Command.Remove.class,
      S3Command.Delete.class,
      S3Command.Presign.class
    })
public final class S3Command {
  /** The bucket that a word of the command line names. */
  private static BucketPath bucket(String path) {
    BucketPath bucket = BucketPath.isOne(path) ? BucketPath.parse(path) : new BucketPath(path, "");
    if (!bucket.key().isEmpty()) {
      throw new IllegalArgumentException(path + " is more than a bucket: s3://bucket");
    }
    return bucket;
  }

  /** Deletes everything that begins so. */
  private static int empty(BucketClient client, BucketPath prefix, S3Transfers transfers)
      throws IOException, InterruptedException {
    var listing = new ListedObjects(client, prefix);
    transfers
        .work()
        .run(
            () -> {
              ListedObject object = listing.next();
              return object == null
                  ? null
                  : transfers.counted(
                      object.key(), () -> transfers.delete(client, prefix.at(object.key())));
            });
    return transfers.exit();
  }

  /** Makes a bucket. */
  @Command(name = "mb", description = "Make a bucket.")
  static final class Make implements Callable<Integer> {
    @Mixin private final S3Options s3 = new S3Options();

    @Parameters(paramLabel = "s3://BUCKET")
    private String path = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      try (BucketClient client = s3.client()) {
        BucketPath bucket = bucket(path);
        client.createBucket(bucket.bucket());
        System.out.println("made " + bucket.bucket());
        return 0;
      }
    }
  }

  /** Removes a bucket. */
  @Command(name = "rb", description = "Remove a bucket, which is empty, or with --force is not.")
  static final class Remove implements Callable<Integer> {
    @Mixin private final S3Options s3 = new S3Options();
    @Mixin private final S3Transfers transfers = new S3Transfers();

    @Parameters(paramLabel = "s3://BUCKET")
    private String path = "";

    @Option(names = "--force", description = "Delete its objects before; versions stay.")
    private boolean force;

    @Override
    public Integer call() throws IOException, InterruptedException {
      BucketPath bucket = bucket(path);
      try (BucketClient client = s3.client()) {
        if (force && empty(client, bucket, transfers.with(s3)) != 0) {
          return 1;
        }
        client.deleteBucket(bucket.bucket());
        System.out.println("removed " + bucket.bucket());
        return 0;
      }
    }
  }

  /** Deletes an object, or all under a prefix. */
  @Command(name = "rm", description = "Delete an object, or all that begin so.")
  static final class Delete implements Callable<Integer> {
    @Mixin private final S3Options s3 = new S3Options();
    @Mixin private final S3Transfers transfers = new S3Transfers();

    @Parameters(paramLabel = "s3://BUCKET/KEY")
    private String path = "";

    @Option(
        names = {"-r", "--recursive"},
        description = "All objects that begin with KEY.")
    private boolean recursive;

    @Override
    public Integer call() throws IOException, InterruptedException {
      BucketPath object = BucketPath.parse(path);
      transfers.with(s3);
      try (BucketClient client = s3.client()) {
        if (recursive) {
          return empty(client, object, transfers);
        }
        if (object.key().isEmpty()) {
          throw new IllegalArgumentException(
              path + " is a bucket: `ron s3 rb` removes it, --recursive empties it");
        }
        transfers.delete(client, object);
        return 0;
      }
    }
  }

  /** Signs an address; no server is asked. */
  @Command(
      name = "presign",
      description = "An address that reads or writes one object without a key, for a while.")
  static final class Presign implements Callable<Integer> {
    @Mixin private final S3Options s3 = new S3Options();

    @Parameters(paramLabel = "s3://BUCKET/KEY")
    private String path = "";

    @Option(
        names = "--for",
        defaultValue = "1h",
        description = "How long it works: 10m, 24h, at most 7d. ${DEFAULT-VALUE}.")
    private String life = "1h";

    @Option(names = "--put", description = "To write the object instead of reading it.")
    private boolean put;

    @Override
    public Integer call() throws IOException {
      BucketPath object = BucketPath.parse(path);
      if (object.key().isEmpty()) {
        throw new IllegalArgumentException(path + " is a bucket: name an object");
      }
      Duration within = Durations.ofFlag("--for", life);
      long seconds = within.toSeconds();
      if (seconds < 1 || seconds > 604_800) {
        throw new IllegalArgumentException("--for is from 1s to 7d");
      }
      try (BucketClient client = s3.client()) {
        System.out.println(client.presigned(put ? "PUT" : "GET", object, within));
        return 0;
      }
    }
  }
}
