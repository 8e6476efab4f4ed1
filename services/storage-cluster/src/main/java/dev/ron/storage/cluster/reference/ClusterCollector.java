package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageFault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Withdraws references of writes that came to nothing, and deletes bytes that the last reference
 * left.
 *
 * <p>Bytes are deleted by one machine, which follows from the address: others would only stand in
 * each other's way. A write is withdrawn by the machine it was sent to, or by any once that is
 * gone.
 *
 * <p>Threading: one step at a time.
 */
public final class ClusterCollector implements Task {
  private static final int PAGE = 64;
  private static final Duration REST = Duration.ofSeconds(1);

  /** A machine that was away may bring back what was deleted. */
  private static final Duration LOOK_BACK = Duration.ofMinutes(1);

  private final Scope scope;
  private final ClusterReferences all;
  private final Predicate<Address> onThisMachine;
  private Instant lookBack = Instant.MIN;

  /**
   * @param onThisMachine whether bytes of an object are on the disks here
   */
  public ClusterCollector(Scope scope, ClusterReferences all, Predicate<Address> onThisMachine) {
    this.scope = scope;
    this.all = all;
    this.onThisMachine = onThisMachine;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    Watch.Version<Long> seen = all.dropped().latest();
    all.local().sweep();
    if (!now.isBefore(lookBack)) {
      lookBack = now.plus(LOOK_BACK);
      broughtBack();
    }
    boolean some = false;
    List<OwnerRecord> left = all.local().unsettled(PAGE);
    for (OwnerRecord record : left) {
      Optional<StorageFault> fault = settle(record);
      fault.ifPresent(
          trouble ->
              scope.log().debug("references", "object", record.address(), "trouble", trouble));
      some |= fault.isEmpty() && !all.local().find(record.address()).equals(Optional.of(record));
    }
    if (some) {
      return Next.again();
    }
    return left.isEmpty()
        ? Next.await(all.dropped().after(seen), now.plus(REST))
        : Next.at(now.plus(REST));
  }

  private Optional<StorageFault> settle(OwnerRecord record) throws InterruptedException {
    for (Map.Entry<String, String> each : record.owners().writes().entrySet()) {
      if (isOver(each.getValue())) {
        Optional<StorageFault> fault = withdraw(record.address(), each.getKey(), each.getValue());
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return record.owners().isCollectable() && isMine(record)
        ? all.collect(record.address(), false)
        : Optional.empty();
  }

  private boolean isOver(String write) {
    int end = write.lastIndexOf('-');
    String node = end < 0 ? "" : write.substring(0, end);
    return node.equals(all.local().name()) ? !all.isUnderWay(write) : all.group().isGone(node);
  }

  private Optional<StorageFault> withdraw(Address address, String tenant, String write)
      throws InterruptedException {
    return Optional.ofNullable(
        all.quorum()
            .change(address, now -> ReferenceQuorum.Next.of(now.withdrawn(tenant, write)))
            .fault());
  }

  private boolean isMine(OwnerRecord record) {
    List<String> here =
        all.group().now().here().stream().map(ReferenceNode::name).sorted().toList();
    return !here.isEmpty()
        && here.get(Math.floorMod(record.key().d(), here.size())).equals(all.local().name());
  }

  private void broughtBack() throws InterruptedException {
    for (OwnerRecord record : all.local().all().values()) {
      if (record.owners().collected() && onThisMachine.test(record.address())) {
        all.quorum().change(record.address(), now -> ReferenceQuorum.Next.of(now.collected(false)));
      }
    }
  }
}
