package dev.ron.mailbox.sqs.api;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.sqs.SqsFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which queue is meant, in the four forms that there are: a URL, an ARN, a topic, a bare name.
 *
 * <p>Of a URL only the path is read: a queue's URL holds whatever host the client reached it by.
 * Queues of the home region have the short path {@code /account/queue} and topic {@code
 * sqs/account/queue}; those of others have their region in both, which no account can be taken for.
 *
 * <p>Threading: immutable.
 *
 * @param home the server's own region
 */
public record QueueAddress(String account, String region, String name, String home) {
  private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
  private static final Pattern REGION = Pattern.compile("[a-z][a-z0-9-]{0,31}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}(\\.fifo)?");
  private static final int NAME_CHARS_MAX = 80;
  private static final int STEPS_MAX = 4;
  private static final int ARN_PARTS = 6;
  private static final String ARN_START = "arn";

  /**
   * What an address is read against.
   *
   * @param account whose queue a bare name is
   * @param region whose queue a path without one is
   * @param home the server's own region
   */
  public record Origin(String account, String region, String home) {
    public QueueAddress named(String name) {
      return new QueueAddress(account, region, name, home);
    }
  }

  /** From a path or a whole URL, or a bare name; a refusal if it is none of these. */
  public static QueueAddress ofUrl(String url, Origin origin) throws Refusal {
    int scheme = url.indexOf("://");
    int path = scheme < 0 ? 0 : url.indexOf('/', scheme + "://".length());
    List<String> steps = path < 0 ? List.of() : steps(url, path);
    Optional<QueueAddress> found =
        switch (steps.size()) {
          case 1 -> scheme < 0 ? Optional.of(origin.named(steps.getFirst())) : Optional.empty();
          case 2 ->
              steps.getFirst().equals("queue")
                  ? Optional.of(origin.named(steps.get(1)))
                  : of(steps.getFirst(), origin.region(), steps.get(1), origin);
          case 3 ->
              steps.getFirst().equals("queue")
                  ? of(steps.get(1), origin.region(), steps.get(2), origin)
                  : Optional.empty();
          case 4 ->
              steps.getFirst().equals("queue")
                  ? of(steps.get(2), steps.get(1), steps.get(3), origin)
                  : Optional.empty();
          default -> Optional.empty();
        };
    if (scheme >= 0 && steps.isEmpty()) {
      throw Refusal.of(new SqsFault.QueueDoesNotExist());
    }
    return found
        .filter(address -> isName(address.name()))
        .orElseThrow(() -> Refusal.of(new SqsFault.InvalidAddress(url)));
  }

  /** What is between slashes; no more of it than tells that it is too much. */
  private static List<String> steps(String url, int path) {
    var steps = new ArrayList<String>(STEPS_MAX + 1);
    int from = path;
    while (from < url.length() && steps.size() <= STEPS_MAX) {
      int slash = url.indexOf('/', from);
      int to = slash < 0 ? url.length() : slash;
      if (to > from) {
        steps.add(url.substring(from, to));
      }
      from = to + 1;
    }
    return steps;
  }

  /** From {@code arn:aws:sqs:region:account:name}; empty if it is none. */
  public static Optional<QueueAddress> ofArn(String arn, String home) {
    String[] parts = arn.split(":", ARN_PARTS + 1);
    if (parts.length != ARN_PARTS || !parts[0].equals(ARN_START) || !parts[2].equals("sqs")) {
      return Optional.empty();
    }
    var origin = new Origin(parts[4], parts[3], home);
    return of(parts[4], parts[3], parts[5], origin).filter(address -> isName(address.name()));
  }

  /** From a topic that a queue has; empty if it is none's. */
  public static Optional<QueueAddress> ofTopic(String topic, String home) {
    if (!QueueTopic.is(topic)) {
      return Optional.empty();
    }
    String[] parts = topic.substring(QueueTopic.PREFIX.length()).split("/", -1);
    return switch (parts.length) {
      case 2 -> Optional.of(new QueueAddress(parts[0], home, parts[1], home));
      case 3 -> Optional.of(new QueueAddress(parts[1], parts[0], parts[2], home));
      default -> Optional.empty();
    };
  }

  private static Optional<QueueAddress> of(
      String account, String region, String name, Origin origin) {
    return isAccount(account) && isRegion(region)
        ? Optional.of(new QueueAddress(account, region, name, origin.home()))
        : Optional.empty();
  }

  public static boolean isAccount(String text) {
    return ACCOUNT.matcher(text).matches();
  }

  static boolean isRegion(String text) {
    return REGION.matcher(text).matches();
  }

  /** Whether a queue can be called so; the end that FIFO queues have counts. */
  public static boolean isName(String name) {
    return name.length() <= NAME_CHARS_MAX && NAME.matcher(name).matches();
  }

  public boolean fifo() {
    return name.endsWith(".fifo");
  }

  public String topic() {
    return region.equals(home)
        ? QueueTopic.PREFIX + account + "/" + name
        : QueueTopic.PREFIX + region + "/" + account + "/" + name;
  }

  /** What the topics of all queues of the same account and region begin with. */
  public String siblings() {
    String topic = topic();
    return topic.substring(0, topic.length() - name.length());
  }

  public String arn() {
    return "arn:aws:sqs:%s:%s:%s".formatted(region, account, name);
  }

  /**
   * A region that is not the home region goes into the host if one is there already, as {@code
   * sqs.us-east-1.} is, and else into the path.
   *
   * @param base scheme and host, as the client asked
   */
  public String url(String base) {
    String path = "%s/%s/%s".formatted(base, account, name);
    if (region.equals(home) || base.contains(host(region))) {
      return path;
    }
    return base.contains(host(home))
        ? path.replace(host(home), host(region))
        : "%s/queue/%s/%s/%s".formatted(base, region, account, name);
  }

  private static String host(String region) {
    return "://sqs." + region + ".";
  }
}
