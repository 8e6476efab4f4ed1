package dev.ron.storage.cluster.reference;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Copies to this machine what the others recorded since it last asked, so that each has all.
 *
 * <p>A machine without records of its own, or with some that it cannot read, may have voted before
 * for what it does not know any more. It votes again when it has copied what every other machine
 * has, but for those that are gone for longer than the grace.
 *
 * <p>Threading: one step at a time.
 */
final class ReferenceSync implements Task {
  private static final Duration REST = Duration.ofSeconds(1);
  private static final Duration SHORT_REST = Duration.ofMillis(50);

  /** Clocks that differ by less do no harm to a machine that lost its promises. */
  private static final long CLOCKS_APART_MILLIS = 10_000;

  private final Scope scope;
  private final LocalReferences local;
  private final ReferenceGroup group;
  private final Map<String, Place> places = new HashMap<>();
  private long highest;

  /** How far another machine's changes are known. */
  private record Place(String run, long next) {
    static final Place NONE = new Place("", 0);
  }

  ReferenceSync(Scope scope, LocalReferences local, ReferenceGroup group) {
    this.scope = scope;
    this.local = local;
    this.group = group;
    if (!local.isLevel()) {
      scope
          .readiness()
          .derived(
              "references",
              () ->
                  local.isLevel()
                      ? Optional.empty()
                      : Optional.of("references are being copied from the other machines"));
    }
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    ReferenceGroup.Roster roster = group.now();
    Set<String> heard = new HashSet<>();
    for (ReferenceNode node : roster.here()) {
      if (node.name().equals(local.name()) || copied(node)) {
        heard.add(node.name());
      }
    }
    if (!local.isLevel()) {
      boolean all = heard.size() == roster.here().size() && group.unknown().isEmpty();
      if (all && roster.away().stream().allMatch(group::isGone)) {
        level();
      }
    }
    return Next.at(now.plus(local.isLevel() ? REST : SHORT_REST));
  }

  /** False if it does not answer, or a record cannot be stored here. */
  private boolean copied(ReferenceNode node) throws InterruptedException {
    try {
      boolean more = true;
      while (more) {
        Place from = places.getOrDefault(node.name(), Place.NONE);
        ReferenceNode.Changes page = node.changes(from.run(), from.next());
        for (OwnerRecord record : page.records()) {
          highest = Math.max(highest, record.ballot().counter());
          local.learn(record);
        }
        places.put(node.name(), new Place(page.run(), page.next()));
        more = page.more();
      }
      return true;
    } catch (IOException e) {
      scope.log().debug("references", "node", node.name(), "trouble", e);
      return false;
    }
  }

  private void level() throws InterruptedException {
    try {
      long clock = scope.time().wall().toEpochMilli() + CLOCKS_APART_MILLIS;
      local.level(Math.max(highest, clock));
    } catch (IOException e) {
      scope.log().warn("references", "trouble", e);
    }
  }
}
