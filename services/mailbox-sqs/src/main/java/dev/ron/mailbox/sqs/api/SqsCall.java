package dev.ron.mailbox.sqs.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose signature was checked, with who sent it and what it says.
 *
 * <p>Threading: owned by the request's thread.
 *
 * @param origin what addresses of queues are read against
 * @param path the queue that the request was sent to; null if it came to the door itself
 */
public record SqsCall(
    SqsContext context,
    Exchange exchange,
    SqsCaller caller,
    QueueAddress.Origin origin,
    RequestTree tree,
    @Nullable String path) {
  private static final String INVOCATION = "amz-sdk-invocation-id";
  private static final int INVOCATION_CHARS_MAX = 64;

  /** Scheme and host as the client asked, which the URLs it is given begin with. */
  public String base() {
    String scheme = exchange.server().config().tls() == null ? "http" : "https";
    return scheme + "://" + exchange.head().authority();
  }

  /** The queue that the request is about, if the caller may do that to it. */
  public QueueAddress queue(String op) throws Refusal {
    return allowed(op, address());
  }

  /** The queue that the request is about; what may be done to it is not asked. */
  public QueueAddress address() throws Refusal {
    String url = tree.text("QueueUrl").filter(text -> !text.isEmpty()).orElse(path);
    if (url == null) {
      throw Refusal.of(new SqsFault.MissingParameter("QueueUrl"));
    }
    return QueueAddress.ofUrl(url, origin);
  }

  /** The same queue once more, for what the request does besides. */
  public QueueAddress allowed(String op, QueueAddress address) throws Refusal {
    if (!may(op, address)) {
      throw Refusal.of(
          new SqsFault.AccessDenied(
              "Access to the resource %s is denied.".formatted(address.url(base()))));
    }
    return address;
  }

  /** Whether the caller may do something to a queue. */
  public boolean may(String op, QueueAddress address) {
    boolean own = caller.isOperator() || caller.account().equals(address.account());
    return own && caller.may(op, address.topic(), context.time().wall());
  }

  /** Refuses a caller that may do so to no queue at all. */
  public void requireBeforehand(String op) throws Refusal {
    if (!caller.mayBeforehand(op, context.time().wall())) {
      throw Refusal.of(new SqsFault.AccessDenied("Access to the resource is denied."));
    }
  }

  /** The queue as the machine that decides about it has it; a refusal if there is none. */
  public QueueRecord record(QueueAddress address) throws Refusal, InterruptedException {
    return SqsContext.seen(context.queues().find(address.topic()));
  }

  /**
   * The queue as this machine knows it, which saves a wait for its shard; asked of the machine that
   * decides only where it is not known here. A machine that follows may be a moment behind, so what
   * is refused by this record is to be asked of {@link #record} again.
   */
  public QueueRecord known(QueueAddress address) throws Refusal, InterruptedException {
    // Its topic comes before all others that begin with it.
    List<QueueRecord> here = context.queues().list(address.topic(), "", 1);
    return here.isEmpty() || !here.getFirst().topic().equals(address.topic())
        ? record(address)
        : here.getFirst();
  }

  /** Names the client's call, which its SDK may repeat; empty if it does not say. */
  public String invocation() {
    String id = exchange.headers().first(INVOCATION);
    return id == null || id.length() > INVOCATION_CHARS_MAX || !context.config().retryKeys()
        ? ""
        : id;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(exchange.headers().first(name));
  }
}
