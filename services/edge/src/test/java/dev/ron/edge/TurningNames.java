package dev.ron.edge;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The name service of this module's tests: names under {@code .test} mean what a test says, which
 * may change from one question to the next; all others mean what they always mean.
 *
 * <p>Threading: thread-safe.
 */
public final class TurningNames extends InetAddressResolverProvider {
  private record Turning(List<List<String>> answers, AtomicInteger asked) {}

  private static final Map<String, Turning> NAMES = new ConcurrentHashMap<>();

  static {
    // The JDK would remember the first answer, and hide from us what is tested.
    Security.setProperty("networkaddress.cache.ttl", "0");
  }

  /** What a name means the first time, the second time, and so on; the last for good. */
  static void turn(String name, List<List<String>> answers) {
    NAMES.put(name, new Turning(answers, new AtomicInteger()));
  }

  static int asked(String name) {
    return NAMES.get(name).asked().get();
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver usual = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        Turning turning = NAMES.get(host);
        if (turning == null) {
          return usual.lookupByName(host, policy);
        }
        int last = turning.answers().size() - 1;
        return turning.answers().get(Math.min(last, turning.asked().getAndIncrement())).stream()
            .map(literal -> address(host, literal));
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return usual.lookupByAddress(address);
      }
    };
  }

  private static InetAddress address(String host, String literal) {
    try {
      return InetAddress.getByAddress(host, InetAddress.ofLiteral(literal).getAddress());
    } catch (UnknownHostException wrong) {
      throw new AssertionError(literal, wrong);
    }
  }

  @Override
  public String name() {
    return "turning names";
  }
}
