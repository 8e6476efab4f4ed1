package dev.ron.storage.reference;

import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentMetrics;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Tree;
import dev.ron.storage.Rig;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.StorageService;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.DataDirectories;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Objects with their references on two directories, and the tasks that they need. */
final class RunningObjects {
  private final ReferencedObjects all;
  private final Volumes objects;
  private final Volumes references;
  private final Tree tree;

  RunningObjects(World world, int replication) throws Exception {
    Scope scope = Scope.of("storage", world);
    StorageConfig config =
        Rig.config(
            Rig.table(
                Path.of("/"),
                "data_dirs=/a,/b",
                "durability.replication=" + replication,
                "durability.delete_grace=0s"),
            StorageConfig::read);
    StorageMetrics metrics = StorageMetrics.in(scope);
    StorageService.Kept kept =
        StorageService.Kept.open(config, scope, metrics, ContentMetrics.in(scope));
    var stores = kept.directories().openReferences(1);
    objects = kept.repairs().volumes();
    references =
        new Volumes(
            stores.stream().map(DataDirectories.Opened::volume).toList(),
            2,
            config.durability().quorum(),
            new DamageTracker(objects.damage().events(), metrics));
    all =
        new ReferencedObjects(
            scope,
            objects,
            objects,
            references,
            new StoredBytes(scope, new ByteSeconds(scope.meter())),
            false);
    tree =
        StorageService.Kept.stores(
                "storage",
                Stream.concat(kept.directories().opened().stream(), stores.stream()).toList(),
                objects.damage().events(),
                scope)
            .child("references", Restart.ALWAYS, () -> new ReferenceCollector(scope, all))
            .start(scope);
  }

  ObjectStore of(String tenant) {
    return all.of(tenant.isEmpty() ? Owner.OPERATOR : new Owner(tenant));
  }

  ReferencedObjects all() {
    return all;
  }

  Volumes objects() {
    return objects;
  }

  Volumes references() {
    return references;
  }

  void end() throws InterruptedException {
    tree.drain();
  }
}
