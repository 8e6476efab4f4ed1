package dev.ron.storage.cluster.api;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.storage.StorageFault;
import dev.ron.storage.api.StorageContext;
import dev.ron.storage.cluster.node.ReferenceMessages;
import dev.ron.storage.cluster.reference.LocalReferences;
import dev.ron.storage.cluster.reference.OwnerRecord;
import dev.ron.storage.cluster.reference.ReferenceNode;
import dev.ron.storage.object.Permits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What nodes ask of each other about references.
 *
 * <p>Threading: immutable.
 *
 * @param places for what waits for a disk
 */
record ReferenceVerbs(LocalReferences local, Permits places) {
  /** What waits for the disk, or for a change of the same object. */
  private interface Durable<A> {
    A done() throws IOException, InterruptedException;
  }

  private <A> A durable(Durable<A> work) throws IOException, InterruptedException {
    try (Permits.Place _ = places.enter()) {
      return work.done();
    } catch (Refusal refusal) {
      throw refusal;
    } catch (IOException e) {
      throw Refusal.of(new StorageFault.Unavailable(String.valueOf(e.getMessage())));
    }
  }

  ReferenceMessages.Voted prepare(ReferenceMessages.Prepare asked)
      throws IOException, InterruptedException {
    Address address = StorageContext.address(asked.address());
    return durable(() -> ReferenceMessages.Voted.of(local.prepare(address, asked.ballot())));
  }

  ReferenceMessages.Voted accept(ReferenceMessages.Accept asked)
      throws IOException, InterruptedException {
    OwnerRecord record =
        OwnerRecord.parse(asked.record())
            .orElseThrow(
                () -> Refusal.of(new StorageFault.Malformed("record: is no record of owners")));
    return durable(() -> ReferenceMessages.Voted.of(local.accept(record)));
  }

  ReferenceMessages.Records read(ReferenceMessages.Read asked) throws Refusal {
    var addresses = new ArrayList<Address>();
    for (String each : asked.addresses()) {
      addresses.add(StorageContext.address(each));
    }
    ReferenceNode.Page page = local.read(addresses);
    return new ReferenceMessages.Records(page.level(), texts(page.records()));
  }

  ReferenceMessages.Names named(ReferenceMessages.Named asked) throws Refusal {
    String after = asked.after();
    ReferenceNode.Names found =
        local.named(
            asked.tenant(), after == null ? null : StorageContext.address(after), asked.max());
    return new ReferenceMessages.Names(
        found.level(), found.addresses().stream().map(Address::toString).toList());
  }

  ReferenceMessages.Changed changes(ReferenceMessages.Since asked) {
    ReferenceNode.Changes found = local.changes(asked.run(), asked.after());
    return new ReferenceMessages.Changed(
        found.run(), found.next(), found.more(), texts(found.records()));
  }

  ReferenceMessages.Sealed seal(ReferenceMessages.Seal asked) throws Refusal {
    Address address = StorageContext.address(asked.address());
    if (asked.on()) {
      return new ReferenceMessages.Sealed(local.seal(address, asked.seal()));
    }
    local.lift(address, asked.seal());
    return new ReferenceMessages.Sealed(true);
  }

  private static List<String> texts(List<OwnerRecord> records) {
    return records.stream().map(OwnerRecord::text).toList();
  }
}
