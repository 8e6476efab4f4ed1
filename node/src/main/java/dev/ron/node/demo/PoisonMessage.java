package dev.ron.node.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.World;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A queue as SQS clients know it: one job always fails, and must not hold up the others. */
final class PoisonMessage implements Chapter {
  private static final int JOBS = 20;
  private static final int POISON = 7;
  private static final int TRIES = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration REST = Duration.ofMillis(200);
  private static final Pattern MESSAGE = Pattern.compile("\\{[^{}]*\"MessageId\"[^{}]*}");
  private static final Pattern BODY = Pattern.compile("\"Body\":\"job (\\d+)\"");
  private static final Pattern HANDLE = Pattern.compile("\"ReceiptHandle\":\"([^\"]+)\"");

  private final World world;

  PoisonMessage(World world) {
    this.world = world;
  }

  @Override
  public String title() {
    return "Work from a queue";
  }

  @Override
  public String watch() {
    return "Queues on the dashboard: demo-jobs and demo-jobs-failed";
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    call(node, "CreateQueue", "{\"QueueName\":\"demo-jobs-failed\"}");
    call(
        node,
        "CreateQueue",
        """
        {"QueueName":"demo-jobs","Attributes":{"VisibilityTimeout":"1","RedrivePolicy":\
        "{\\"deadLetterTargetArn\\":\\"arn:aws:sqs:us-east-1:000000000000:demo-jobs-failed\\",\
        \\"maxReceiveCount\\":\\"%d\\"}"}}"""
            .formatted(TRIES));
    for (int job = 0; job < JOBS; job++) {
      call(
          node,
          "SendMessage",
          queue(node, "demo-jobs", "\"MessageBody\":\"job %d\"".formatted(job)));
    }
    say.line("  %d jobs sent; job %d fails whenever it is tried", JOBS, POISON);
    Set<Integer> done = new TreeSet<>();
    Set<Integer> dead = new TreeSet<>();
    int failures = 0;
    Instant end = world.time().now().plus(PATIENCE);
    while ((done.size() < JOBS - 1 || dead.isEmpty()) && world.time().now().isBefore(end)) {
      failures += work(node, done);
      take(node, "demo-jobs-failed", dead);
      world.time().sleepUntil(world.time().now().plus(REST));
    }
    boolean right =
        done.size() == JOBS - 1
            && !done.contains(POISON)
            && dead.equals(Set.of(POISON))
            && failures == TRIES;
    return new ChapterResult(
        "%d of %d jobs done; job %s failed %d times and lies in demo-jobs-failed"
            .formatted(done.size(), JOBS, dead, failures),
        right);
  }

  /** Deletes what it could do; answers how often the bad one was tried. */
  private static int work(DemoNode node, Set<Integer> done) throws Exception {
    int failures = 0;
    Matcher messages = MESSAGE.matcher(receive(node, "demo-jobs"));
    while (messages.find()) {
      int job = Integer.parseInt(found(BODY, messages.group()));
      if (job == POISON) {
        failures++;
      } else {
        String handle = "\"ReceiptHandle\":\"%s\"".formatted(found(HANDLE, messages.group()));
        call(node, "DeleteMessage", queue(node, "demo-jobs", handle));
        done.add(job);
      }
    }
    return failures;
  }

  private static void take(DemoNode node, String queue, Set<Integer> into) throws Exception {
    BODY.matcher(receive(node, queue))
        .results()
        .forEach(body -> into.add(Integer.parseInt(body.group(1))));
  }

  private static String receive(DemoNode node, String queue) throws Exception {
    return call(node, "ReceiveMessage", queue(node, queue, "\"MaxNumberOfMessages\":10"));
  }

  private static String queue(DemoNode node, String name, String more) {
    return "{\"QueueUrl\":\"%s/000000000000/%s\",%s}".formatted(node.url("sqs"), name, more);
  }

  private static String call(DemoNode node, String action, String form)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = node.sqs(action, form.getBytes(UTF_8));
    String text = EpochSum.text(answer);
    if (answer.statusCode() != 200) {
      throw new IOException(action + " was answered with " + answer.statusCode() + ": " + text);
    }
    return text;
  }

  private static String found(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("no " + pattern + " in " + text);
    }
    return matcher.group(1);
  }
}
