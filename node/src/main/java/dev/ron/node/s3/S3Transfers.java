package dev.ron.node.s3;

import dev.ron.client.StorageClient.Progress;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.client.bucket.ContentCheck;
import dev.ron.client.bucket.ObjectDownload;
import dev.ron.client.bucket.ObjectUpload;
import dev.ron.client.bucket.ParallelWork;
import dev.ron.client.bucket.PartPlan;
import dev.ron.http.Headers;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.cli.ProgressBar;
import dev.ron.node.profile.TerminalGuard;
import dev.ron.node.profile.TextTable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Transfers between files and objects, each with a line that says what was done.
 *
 * <p>Threading: the options are set before the first transfer; transfers run on any thread.
 */
final class S3Transfers {
  /** A server that refuses everything is not asked for all of a large tree. */
  private static final int FAILURES_MAX = 20;

  /** How many names may lie in a row with the longest wait; each has parts of its own. */
  private static final int PARTS_AT_ONCE = 4;

  @Option(
      names = "--part-size",
      defaultValue = "8",
      description = "MiB of one part; files above it are sent in parts. ${DEFAULT-VALUE}.")
  private long partMib = PartPlan.PART_BYTES >> 20;

  @Option(
      names = "--parallel",
      defaultValue = "4",
      description = "Objects at a time, of a tree; ${DEFAULT-VALUE}.")
  private int width = PARTS_AT_ONCE;

  @Option(names = "--content-type", description = "What the objects are; else guessed by name.")
  private @Nullable String contentType;

  @Option(names = "--metadata", description = "NAME=VALUE to keep with the objects.")
  private final Map<String, String> metadata = new LinkedHashMap<>();

  @Option(
      names = {"-q", "--quiet"},
      description = "No line for each transfer.")
  private boolean quiet;

  private final AtomicInteger failures = new AtomicInteger();
  private boolean json;

  S3Transfers with(S3Options s3) {
    json = s3.json();
    if (partBytes() < PartPlan.PART_BYTES_MIN || partMib > 1024) {
      throw new IllegalArgumentException("--part-size is from 5 to 1024");
    }
    return this;
  }

  private long partBytes() {
    return partMib << 20;
  }

  ParallelWork work() {
    return new ParallelWork(CommandClient.scope(), "transfers", width);
  }

  /** A transfer of many: its failure is told and counted, and the others go on. */
  ParallelWork.Job counted(String what, ParallelWork.Job job) {
    return () -> {
      try {
        job.run();
      } catch (IOException | IllegalArgumentException failed) {
        System.err.println("ron: " + TextTable.plain(what + ": " + failed.getMessage()));
        if (failures.incrementAndGet() >= FAILURES_MAX) {
          throw new IOException(FAILURES_MAX + " transfers failed, the rest was not tried", failed);
        }
      }
    };
  }

  /** The exit code. */
  int exit() {
    return failures.get() == 0 ? 0 : 1;
  }

  void upload(BucketClient client, Path from, BucketPath to, ProgressBar progress)
      throws IOException, InterruptedException {
    ObjectUpload.Stored stored =
        uploads(client).file(from, to, fields(from.toString()), partBytes(), progress);
    progress.close();
    told("upload", from.toString(), to.toString(), stored.size(), "MD5");
  }

  void uploadInput(BucketClient client, BucketPath to, ProgressBar progress)
      throws IOException, InterruptedException {
    ObjectUpload.Stored stored =
        uploads(client).stream(
            System.in, to, fields(to.key()), partBytes(), progress, ObjectUpload.Approval.ALWAYS);
    progress.close();
    told("upload", "-", to.toString(), stored.size(), "MD5");
  }

  private static ObjectUpload uploads(BucketClient client) {
    return new ObjectUpload(client, PARTS_AT_ONCE);
  }

  private Headers fields(String name) {
    String guess = URLConnection.guessContentTypeFromName(name);
    var fields = new Headers();
    fields.add(
        "content-type",
        contentType != null ? contentType : guess == null ? "application/octet-stream" : guess);
    metadata.forEach((key, value) -> fields.add("x-amz-meta-" + key, value));
    return fields;
  }

  /** The file appears when it is whole and verified, with the object's time. */
  void download(BucketClient client, BucketPath from, Path to, ProgressBar progress)
      throws IOException, InterruptedException {
    Path folder = to.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path part = to.resolveSibling(to.getFileName() + ".ron-part");
    var download = new ObjectDownload(client, from, progress);
    boolean whole = false;
    try {
      ContentCheck.Outcome outcome;
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        outcome = download.to(out);
      }
      String by = verified(from, outcome);
      Files.setLastModifiedTime(part, FileTime.from(download.head().modified()));
      Files.move(part, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      whole = true;
      progress.close();
      told("download", from.toString(), to.toString(), download.head().size(), by);
    } finally {
      if (!whole) {
        Files.deleteIfExists(part);
      }
    }
  }

  /** Bytes that were printed cannot be taken back: a difference is the exit code's to tell. */
  void downloadOutput(BucketClient client, BucketPath from)
      throws IOException, InterruptedException {
    // Not closed: later code may still print to standard output.
    var out = new BufferedOutputStream(TerminalGuard.raw(System.out), 1 << 16);
    ContentCheck.Outcome outcome = new ObjectDownload(client, from, Progress.NONE).to(out);
    out.flush();
    verified(from, outcome);
  }

  private static String verified(BucketPath from, ContentCheck.Outcome outcome) throws IOException {
    return switch (outcome) {
      case ContentCheck.Outcome.Fits(String by) -> by;
      case ContentCheck.Outcome.SizeOnly() -> "size";
      case ContentCheck.Outcome.Differs(String detail) ->
          throw new IOException("%s came damaged: %s".formatted(from, detail));
    };
  }

  void copy(BucketClient client, BucketPath from, BucketPath to)
      throws IOException, InterruptedException {
    client.copy(from, to);
    told("copy", from.toString(), to.toString(), -1, "server");
  }

  void delete(BucketClient client, BucketPath object) throws IOException, InterruptedException {
    client.delete(object);
    told("delete", object.toString(), "", -1, "");
  }

  void deleteFile(Path file) throws IOException {
    Files.deleteIfExists(file);
    told("delete", file.toString(), "", -1, "");
  }

  /** Where an object of a tree lands; a key that leads elsewhere is refused. */
  static Path inside(Path folder, String name) {
    for (String step : name.split("/", -1)) {
      if (step.isEmpty() || step.equals(".") || step.equals("..") || step.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("the key `%s` is no name of a file".formatted(name));
      }
    }
    return folder.resolve(name);
  }

  ProgressBar bar(String label) {
    return ProgressBar.watching(label, !json && !quiet);
  }

  private void told(String op, String from, String to, long size, String verified) {
    if (quiet) {
      return;
    }
    if (!json) {
      System.out.println(TextTable.plain(op + " " + from + (to.isEmpty() ? "" : " -> " + to)));
      return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("op", op);
    fields.put("from", from);
    Optional.of(to).filter(text -> !text.isEmpty()).ifPresent(text -> fields.put("to", text));
    if (size >= 0) {
      fields.put("size", size);
      fields.put("verified", verified);
    }
    System.out.println(CommandClient.json(fields));
  }
}
