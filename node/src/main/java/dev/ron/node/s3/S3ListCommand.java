package dev.ron.node.s3;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ListedObject;
import dev.ron.client.bucket.ListedObjects;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.cli.ProgressBar;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Lists buckets, or what is in one.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "ls", description = "List buckets, or folders and objects of one.")
final class S3ListCommand implements Callable<Integer> {
  @Mixin private final S3Options s3 = new S3Options();

  @Parameters(paramLabel = "s3://BUCKET/PREFIX", arity = "0..1")
  private @Nullable String path;

  @Option(
      names = {"-r", "--recursive"},
      description = "All objects below, without folders.")
  private boolean recursive;

  private long objects;
  private long bytes;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (BucketClient client = s3.client()) {
      if (path == null) {
        List<BucketClient.OwnBucket> buckets = client.buckets();
        buckets.forEach(this::show);
        if (buckets.isEmpty() && !s3.json() && Terminal.out()) {
          System.out.println("no buckets yet; `ron s3 mb s3://NAME` makes one");
        }
        return 0;
      }
      BucketPath prefix = BucketPath.parse(path);
      if (recursive) {
        var listing = new ListedObjects(client, prefix);
        for (ListedObject object = listing.next(); object != null; object = listing.next()) {
          show(object, object.key());
        }
      } else {
        pages(client, prefix);
      }
      if (!s3.json() && Terminal.out()) {
        System.out.printf("%d objects, %s%n", objects, ProgressBar.size(bytes));
      }
      return 0;
    }
  }

  private void pages(BucketClient client, BucketPath prefix)
      throws IOException, InterruptedException {
    int cut = prefix.key().lastIndexOf('/') + 1;
    Optional<String> next = Optional.empty();
    do {
      BucketClient.Page page = client.list(prefix, "/", next);
      for (String folder : page.folders()) {
        System.out.println(
            s3.json()
                ? CommandClient.json(Map.of("folder", folder))
                : "%20s %10s  %s".formatted("", "folder", shown(folder.substring(cut))));
      }
      for (ListedObject object : page.objects()) {
        show(object, object.key().substring(cut));
      }
      next = page.next();
    } while (next.isPresent());
  }

  private void show(BucketClient.OwnBucket bucket) {
    System.out.println(
        s3.json()
            ? CommandClient.json(
                Map.of("bucket", bucket.name(), "created", bucket.created().toString()))
            : "%s  %s".formatted(second(bucket.created()), bucket.name()));
  }

  private void show(ListedObject object, String name) {
    objects++;
    bytes += object.size();
    if (!s3.json()) {
      String size =
          Terminal.out() ? ProgressBar.size(object.size()) : String.valueOf(object.size());
      System.out.println("%s %10s  %s".formatted(second(object.modified()), size, shown(name)));
      return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", object.key());
    fields.put("size", object.size());
    fields.put("etag", object.etag());
    fields.put("modified", object.modified().toString());
    System.out.println(CommandClient.json(fields));
  }

  /** A script gets the name as it is. */
  private static String shown(String name) {
    return Terminal.out() ? TextTable.plain(name) : name;
  }

  private static String second(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
