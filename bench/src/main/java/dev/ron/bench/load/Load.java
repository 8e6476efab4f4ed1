package dev.ron.bench.load;

import java.net.InetAddress;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A load to put on a server of this machine. Any other target is refused, and so is a name that
 * would have to be looked up: the generator would look it up again, and might find something else.
 *
 * <p>Threading: immutable.
 *
 * @param headers sent with every request, beside those the generator sends by itself
 */
public record Load(
    URI target, int connections, int threads, int seconds, Map<String, String> headers) {
  public static final int CONNECTIONS_MAX = 1024;
  public static final int THREADS_MAX = 16;
  static final int SECONDS_MAX = 60;

  public Load(URI target, int connections, int threads, int seconds) {
    this(target, connections, threads, seconds, Map.of());
  }

  public Load {
    headers = Map.copyOf(headers);
    headers.forEach((name, value) -> requireOneLine(name + ": " + value));
    requireLoopback(target);
    within("threads", threads, THREADS_MAX);
    within("connections", connections, CONNECTIONS_MAX);
    within("seconds", seconds, SECONDS_MAX);
    if (connections < threads) {
      throw new IllegalArgumentException(connections + " connections for " + threads + " threads");
    }
  }

  public static void requireLoopback(URI target) {
    String scheme = target.getScheme();
    if (!"http".equals(scheme) && !"https".equals(scheme)) {
      throw new IllegalArgumentException("not an http address: " + target);
    }
    if (target.getUserInfo() != null || !isLoopback(target.getHost())) {
      throw new IllegalArgumentException(
          "loads go to loopback addresses only, such as http://127.0.0.1:8080/, not " + target);
    }
  }

  /** A line break would end the header and begin whatever follows it. */
  private static void requireOneLine(String header) {
    if (!header.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      throw new IllegalArgumentException("not one line of plain text: " + header);
    }
  }

  private static boolean isLoopback(@Nullable String host) {
    if (host == null) {
      return false;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  private static void within(String what, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(what + " " + value + " is not within 1 and " + max);
    }
  }
}
