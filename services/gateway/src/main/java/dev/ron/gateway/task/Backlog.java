package dev.ron.gateway.task;

import dev.ron.gateway.core.DeficitRoundRobin;
import dev.ron.gateway.core.Quanta;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that waits for a place, pool by pool.
 *
 * <p>It outlives the scheduler's task, so that one that failed and was started again goes on where
 * the other stopped.
 *
 * <p>Threading: owned by the scheduler's task.
 */
public final class Backlog {
  private final Set<Pool> lively = new LinkedHashSet<>();

  /** A ticket, and who had to give way for it; the ticket itself if nobody else. */
  @Nullable Ticket add(Ticket ticket) {
    if (ticket.beyondLimit()) {
      Ticket away = giveWay(ticket);
      if (away == ticket) {
        return ticket;
      }
      put(ticket);
      return away;
    }
    put(ticket);
    return null;
  }

  private void put(Ticket ticket) {
    lively.add(ticket.pool());
    ticket.pool().line().add(ticket.line(), ticket.cost(), ticket);
  }

  /**
   * The newest of the longest line, unless the newcomer's own is as long: whoever takes the most
   * room gives way, so that a loud tenant cannot keep a quiet one out.
   */
  private Ticket giveWay(Ticket newcomer) {
    Pool where = null;
    DeficitRoundRobin.Longest longest = null;
    for (Pool pool : lively) {
      pool.line().dropIf(Ticket::gone);
      Optional<DeficitRoundRobin.Longest> candidate = pool.line().longest();
      if (candidate.isPresent()
          && (longest == null || candidate.get().waiting() > longest.waiting())) {
        longest = candidate.get();
        where = pool;
      }
    }
    int own = newcomer.pool().line().waiting(newcomer.line());
    if (where == null || longest == null || longest.waiting() <= own + 1) {
      return newcomer;
    }
    Ticket away = where.line().dropNewest(longest.tenant());
    return away == null ? newcomer : away;
  }

  /** Those that have a place now, in their turn. */
  List<Ticket> grant(Quanta quanta) {
    List<Ticket> granted = new ArrayList<>();
    lively.removeIf(
        pool -> {
          pool.line().quanta(quanta);
          while (pool.slots().grantable()) {
            Ticket next = pool.line().next(pool.open(), Ticket::grant);
            if (next == null) {
              break;
            }
            granted.add(next);
          }
          return pool.line().waiting() == 0;
        });
    return granted;
  }
}
