package dev.ron.gateway.admit;

import dev.ron.gateway.core.DeficitRoundRobin;
import dev.ron.gateway.core.Quanta;
import dev.ron.gateway.route.UpstreamPool;
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
  private final Set<UpstreamPool> lively = new LinkedHashSet<>();

  /** Adds a ticket; answers the one that had to give way for it, the ticket itself if no other. */
  @Nullable AdmissionTicket add(AdmissionTicket ticket) {
    if (ticket.beyondLimit()) {
      AdmissionTicket away = giveWay(ticket);
      if (away == ticket) {
        return ticket;
      }
      put(ticket);
      return away;
    }
    put(ticket);
    return null;
  }

  private void put(AdmissionTicket ticket) {
    lively.add(ticket.pool());
    ticket.pool().line().add(ticket.line(), ticket.cost(), ticket);
  }

  /**
   * The newest of the longest line, unless the newcomer's own is as long: the tenant that takes the
   * most room gives way, so that a loud tenant cannot keep a quiet one out.
   */
  private AdmissionTicket giveWay(AdmissionTicket newcomer) {
    UpstreamPool where = null;
    DeficitRoundRobin.Longest longest = null;
    for (UpstreamPool pool : lively) {
      pool.line().dropIf(AdmissionTicket::gone);
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
    AdmissionTicket away = where.line().dropNewest(longest.tenant());
    return away == null ? newcomer : away;
  }

  /** Those that have a place now, in their turn. */
  List<AdmissionTicket> grant(Quanta quanta) {
    List<AdmissionTicket> granted = new ArrayList<>();
    lively.removeIf(
        pool -> {
          pool.line().quanta(quanta);
          while (pool.slots().grantable()) {
            AdmissionTicket next = pool.line().next(pool.open(), AdmissionTicket::grant);
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
