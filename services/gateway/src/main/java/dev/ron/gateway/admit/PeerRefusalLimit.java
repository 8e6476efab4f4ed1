package dev.ron.gateway.admit;

import dev.ron.kernel.time.Time;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many requests of one address may be refused a second: a quarter of the instance's rate.
 *
 * <p>A refused request counts against the instance's rate like any other. Without a bound of its
 * own one address that sends nothing but bad tokens would use all of that rate up, and a bad token
 * costs a verification each. Beyond the bound the address is turned away before either.
 *
 * <p>A trusted proxy has none, because it speaks for many. An address of IPv6 is its /64, which one
 * client has to itself.
 *
 * <p>Threading: thread-safe, as the rates are.
 */
public final class PeerRefusalLimit {
  private static final int SHARE = 4;

  /** A person who mistypes is not a flood; where the rate itself is lower, that is the bound. */
  private static final int PER_SECOND_MIN = 10;

  private final QuotaBuckets book;
  private final Predicate<SocketAddress> unbounded;

  public PeerRefusalLimit(Time time, Predicate<SocketAddress> unbounded) {
    this.book = new QuotaBuckets(time);
    this.unbounded = unbounded;
  }

  /** One address, and how it stands. */
  public final class Peer {
    private final QuotaBuckets.@Nullable Key key;

    private Peer(QuotaBuckets.@Nullable Key key) {
      this.key = key;
    }

    public long perSecond() {
      return key == null ? 0 : key.perSecond();
    }

    /** Zero if it may send a request. */
    public Duration rest() {
      return key == null ? Duration.ZERO : book.restOf(key);
    }

    public void refused() {
      if (key != null) {
        book.waitFor(key);
      }
    }
  }

  /**
   * @param rps of the instance; 0 for no cap, which lifts this one too
   */
  public Peer of(SocketAddress from, int rps) {
    if (rps == 0
        || !(from instanceof InetSocketAddress address)
        || address.getAddress() == null
        || unbounded.test(from)) {
      return new Peer(null);
    }
    return new Peer(
        new QuotaBuckets.Key(
            "peer", ClientAddress.network(from), Math.max(PER_SECOND_MIN, rps / SHARE)));
  }
}
