package dev.ron.node;

import dev.ron.config.ConfigCatalogue;
import dev.ron.config.Reload;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Reply;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads the configuration again when asked, by a signal or at the admin door: hands every service
 * its live keys and tells what waits for a restart.
 *
 * <p>One reload after the other: of two at once, the older settings could be handed out last.
 *
 * <p>Threading: steps from one thread at a time; {@link #ask} and {@link #running} from any.
 */
public final class NodeReload implements Task {
  private static final int WAITING_MAX = 8;

  private final Scope scope;
  private final Channel<Reply<Outcome>> asked;
  private final Supplier<NodeSettings> source;
  private final List<Consumer<NodeSettings>> services;
  private final TrustRefresh trust;
  private volatile ConfigCatalogue running;

  /**
   * What a reload did.
   *
   * @param changed how many live keys have another value now
   * @param needsRestart how many changed keys stay as they run
   * @param report every changed key, or why nothing changed
   */
  public record Outcome(boolean isRefused, int changed, int needsRestart, String report) {
    static Outcome refused(String why) {
      return new Outcome(true, 0, 0, "reload refused, nothing changed:\n" + why + "\n");
    }
  }

  /**
   * @param source reads the settings anew; throws if they are not sound as a whole
   * @param services each takes its live keys
   */
  NodeReload(
      Scope scope,
      ConfigCatalogue running,
      Supplier<NodeSettings> source,
      List<Consumer<NodeSettings>> services,
      TrustRefresh trust) {
    this.scope = scope;
    this.running = running;
    this.source = source;
    this.services = services;
    this.trust = trust;
    this.asked =
        Channel.bounded(
            scope,
            "reloads",
            WAITING_MAX,
            Overflow.REJECT_NEW,
            each -> each.answer(Outcome.refused("the node is shutting down")));
  }

  /** The outcome comes when those asked for before are done. */
  Reply<Outcome> ask() {
    var reply = new Reply<Outcome>(scope.time());
    if (!(asked.trySend(reply) instanceof SendResult.Sent)) {
      reply.answer(
          Outcome.refused(
              "%d reloads wait already, or the node is shutting down".formatted(WAITING_MAX)));
    }
    return reply;
  }

  /** What the node runs with: as it started, with what reloads changed. */
  ConfigCatalogue running() {
    return running;
  }

  @Override
  public Next run(Instant now) {
    Reply<Outcome> next = asked.tryReceive();
    if (next == null) {
      return Next.await(asked);
    }
    Outcome outcome = reload();
    scope.log().info("reload", "refused", outcome.isRefused(), "report", outcome.report().strip());
    next.answer(outcome);
    return Next.again();
  }

  private Outcome reload() {
    trust.now();
    NodeSettings fresh;
    try {
      fresh = source.get();
    } catch (RuntimeException unsound) {
      return Outcome.refused(String.valueOf(unsound.getMessage()));
    }
    Reload change = Reload.compare(running, fresh.catalogue());
    services.forEach(service -> service.accept(fresh));
    running = change.running();
    return new Outcome(
        false, change.changed().size(), change.needsRestart().size(), change.report());
  }
}
