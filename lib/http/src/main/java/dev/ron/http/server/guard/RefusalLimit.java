package dev.ron.http.server.guard;

import dev.ron.capability.TokenId;
import dev.ron.kernel.time.Time;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many requests of one client may be refused a second: a quarter of the instance's rate.
 *
 * <p>A refused request counts against the instance's rate like any other. Without a bound of its
 * own one address that is only ever refused would use all of that rate up. Beyond the bound it is
 * turned away before it is counted.
 *
 * <p>An address has two accounts: one for tokens that have to be verified, since those use up the
 * rate of verifications, and one for all else. Many clients may share an address, so a token that
 * is known to be authentic answers for itself, together with all that was attenuated from it for
 * the same tenant.
 *
 * <p>A trusted proxy has no bound, because it speaks for many; tokens have theirs behind it too. An
 * address of IPv6 is its /64, which one client has to itself.
 *
 * <p>Threading: thread-safe, as the rates are.
 */
public final class RefusalLimit {
  private static final int SHARE = 4;
  private static final int NETWORK_BYTES = 8;
  private static final String LOCAL = "local";

  /** A person who mistypes is not a flood; where the rate itself is lower, that is the bound. */
  private static final int PER_SECOND_MIN = 10;

  private final QuotaBuckets peers;
  private final QuotaBuckets tokens;
  private final Predicate<SocketAddress> unbounded;

  public RefusalLimit(Time time, Predicate<SocketAddress> unbounded) {
    this.peers = new QuotaBuckets(time);
    this.tokens = new QuotaBuckets(time); // apart: no number of addresses takes their room
    this.unbounded = unbounded;
  }

  /** What a client was refused, and how it stands. */
  public static final class Account {
    private static final Account UNBOUNDED = new Account("", null, null);

    private final String whose;
    private final @Nullable QuotaBuckets book;
    private final QuotaBuckets.@Nullable Key key;

    private Account(String whose, @Nullable QuotaBuckets book, QuotaBuckets.@Nullable Key key) {
      this.whose = whose;
      this.book = book;
      this.key = key;
    }

    /** The words for it in a refusal. */
    public String whose() {
      return whose;
    }

    public long perSecond() {
      return key == null ? 0 : key.perSecond();
    }

    /** Zero if it may send a request. */
    public Duration rest() {
      return book == null || key == null ? Duration.ZERO : book.restOf(key);
    }

    public void refused() {
      if (book != null && key != null) {
        book.waitFor(key);
      }
    }
  }

  /**
   * The account of an address.
   *
   * @param claims it shows a token that has to be verified
   * @param rps of the instance; 0 for no cap, which lifts this one too
   */
  public Account of(SocketAddress from, boolean claims, int rps) {
    if (rps == 0
        || !(from instanceof InetSocketAddress address)
        || address.getAddress() == null
        || unbounded.test(from)) {
      return Account.UNBOUNDED;
    }
    var key = new QuotaBuckets.Key(claims ? "claim" : "peer", network(from), perSecond(rps));
    return new Account("an address whose requests are refused", peers, key);
  }

  /**
   * The account of an authentic token and its copies.
   *
   * @param tenant empty for none; one token may have been attenuated for many, who are strangers to
   *     each other
   */
  public Account of(TokenId token, String tenant, int rps) {
    if (rps == 0) {
      return Account.UNBOUNDED;
    }
    var key = new QuotaBuckets.Key("token", token.text() + "/" + tenant, perSecond(rps));
    return new Account("a capability whose requests are refused", tokens, key);
  }

  /** What tells one client from another by its address; one that is not of TCP is here. */
  public static String network(SocketAddress peer) {
    return peer instanceof InetSocketAddress tcp && tcp.getAddress() != null
        ? network(tcp.getAddress())
        : LOCAL;
  }

  public static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  private static int perSecond(int rps) {
    return Math.max(PER_SECOND_MIN, rps / SHARE);
  }
}
