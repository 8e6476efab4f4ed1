package dev.ron.http.server.exchange;

import dev.ron.http.Refusal;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.connection.ConnectionSlot;
import dev.ron.http.server.connection.ConnectionTenant;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTurns;
import dev.ron.kernel.tenant.TenantVisit;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The place of one exchange among those of its tenant, its turn to begin its work, and the bytes it
 * moves meanwhile.
 *
 * <p>Threading: {@link #enter} by the thread that knows the caller; bytes are counted from any.
 */
final class TenantStay {
  /** A turn of work without a wait takes less than a millisecond, unless the disk is slow. */
  private static final long SWEEP_MILLIS = 10;

  private final ServerContext server;
  private final ExchangeWire wire;
  private volatile @Nullable TenantVisit visit;
  private volatile DoorPlaces.@Nullable Place place;
  private volatile TenantTurns.@Nullable Turn turn;
  private boolean inLine;
  private int ownWaits;
  private volatile boolean known;

  TenantStay(ServerContext server, ExchangeWire wire) {
    this.server = server;
    this.wire = wire;
  }

  /**
   * Holds the caller to the limits of its tenant.
   *
   * @param announced bytes of the body to come, 0 if that is not known
   * @param arrived bytes of it that are here
   * @return null if it is let in
   */
  @Nullable Refusal enter(Payer payer, long announced, long arrived) {
    Refusal refusal = admit(payer, announced, arrived);
    known = true;
    if (refusal == null && !wire.loop().executor().inEventLoop()) {
      awaitTurn(payer.tenant());
    }
    return refusal;
  }

  private @Nullable Refusal admit(Payer payer, long announced, long arrived) {
    if (server.tenants().isEmpty()) {
      return null;
    }
    String tenant = payer.visitor();
    TenantVisit coming = server.tenants().of(tenant);
    ConnectionTenant connection = ConnectionSlot.of(wire.channel()).tenant();
    boolean claimed = connection.claim(tenant);
    TenantFault fault = coming.admit(announced, claimed);
    if (fault != null) {
      if (claimed) {
        connection.unclaim(tenant);
      }
      if (fault.limit() == TenantLimit.CONNECTIONS) {
        closeAfterAnswer();
      }
      return Refusal.of(fault);
    }
    leave(); // who it is was found out in its body
    coming.received(arrived);
    visit = coming;
    if (claimed) {
      connection.counted(coming);
    }
    return null;
  }

  private void closeAfterAnswer() {
    EventExecutor loop = wire.loop().executor();
    if (loop.inEventLoop()) {
      wire.closeAfterAnswer();
    } else {
      loop.execute(wire::closeAfterAnswer);
    }
  }

  /**
   * Begins a handler's work when it is the tenant's turn; at once if its handler finds out whose.
   *
   * @param work starts a thread, by the thread that gives the turn: a way over the event loop would
   *     be a wake-up for each request
   */
  void begin(String tenant, Runnable work) {
    if (!known) {
      work.run();
      return;
    }
    var _ = line(tenant, work);
  }

  /** The handler knows only now whose work it is. A turn is an order, not a right: none is fine. */
  private void awaitTurn(String tenant) {
    endWork();
    var gate = new Gate(server.time());
    DoorPlaces.Place mine = line(tenant, gate::open);
    inLine = true;
    try {
      if (!gate.await(Deadline.current())) {
        mine.end();
        endTurn();
      }
    } catch (InterruptedException cancelled) {
      mine.end();
      endTurn();
      Thread.currentThread().interrupt();
    } finally {
      inLine = false;
    }
  }

  /** The work goes on without the peer: in its turn, if a wait for the peer ended its place. */
  void resume(String tenant) {
    if (known && place == null) {
      awaitTurn(tenant);
    }
  }

  /** First for a place, then for a turn; the thread that gives the last of them begins the work. */
  private DoorPlaces.Place line(String tenant, Runnable work) {
    DoorPlaces.Place mine =
        server
            .places()
            .take(
                tenant,
                given -> {
                  place = given;
                  takeTurn(tenant, work);
                });
    if (!mine.began() && server.places().needsSweep()) {
      sweepLater(server.places()::sweep);
    }
    return mine;
  }

  private void takeTurn(String tenant, Runnable work) {
    TenantTurns.Turn mine =
        server
            .turns()
            .take(
                tenant,
                given -> {
                  turn = given;
                  work.run();
                });
    if (!mine.began()) {
      turn = mine; // one that gives up ends it where it stands
      if (server.turns().needsSweep()) {
        sweepLater(server.turns()::sweep);
      }
    }
  }

  /** The handler's thread waits: for its node, if it has said so, and then it keeps its place. */
  void pauses() {
    if (inLine) {
      return; // what it waits for is its turn
    }
    endTurn();
    if (ownWaits == 0) {
      endPlace();
    }
  }

  /** What the handler's thread waits for from here on is the work of this node, or is not again. */
  void ownWait(boolean begins) {
    ownWaits += begins ? 1 : -1;
  }

  /** The work is over. */
  void endWork() {
    endTurn();
    endPlace();
  }

  private void endTurn() {
    TenantTurns.Turn held = turn;
    if (held != null) {
      turn = null;
      held.end();
    }
  }

  private void endPlace() {
    DoorPlaces.Place held = place;
    if (held != null) {
      place = null;
      held.end();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it tells what it found by itself
  private void sweepLater(BooleanSupplier sweep) {
    Runnable step =
        () -> {
          if (sweep.getAsBoolean()) {
            sweepLater(sweep);
          }
        };
    try {
      wire.loop().executor().schedule(step, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException loopIsGone) {
      // the server has stopped, and with it all that waits
    }
  }

  void sent(long bytes) {
    TenantVisit let = visit;
    if (let != null) {
      let.sent(bytes);
    }
  }

  void received(int bytes) {
    TenantVisit let = visit;
    if (let != null) {
      let.received(bytes);
    }
  }

  void leave() {
    TenantVisit let = visit;
    if (let != null) {
      let.leave();
    }
  }
}
