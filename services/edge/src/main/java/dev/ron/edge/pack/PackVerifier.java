package dev.ron.edge.pack;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.edge.EdgeEvent;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.tilepack.DirectoryCache;
import dev.ron.tilepack.Pack;
import dev.ron.tilepack.PackCheck;
import dev.ron.tilepack.PackFault;
import dev.ron.tilepack.Packs;
import dev.ron.tilepack.sample.SamplePack;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads packs from end to end and puts the good ones among the mounted.
 *
 * <p>Threading: steps from one thread at a time; the only one to change the mounted packs.
 */
public final class PackVerifier implements Task {
  private final MountedPacks packs;
  private final Channel<PackJob> jobs;
  private final DirectoryCache directories;
  private final Broadcast<EdgeEvent> events;
  private final Log log;
  private boolean sampleWanted;
  private @Nullable OpenPack reading;

  /** A pack that is being read. */
  private record OpenPack(PackFile file, Pack pack, PackCheck check) {}

  /**
   * @param sample whether the invented map is shown while there is no other
   */
  public PackVerifier(
      MountedPacks packs,
      Channel<PackJob> jobs,
      DirectoryCache directories,
      Broadcast<EdgeEvent> events,
      Log log,
      boolean sample) {
    this.packs = packs;
    this.jobs = jobs;
    this.directories = directories;
    this.events = events;
    this.log = log;
    this.sampleWanted = sample;
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (sampleWanted) {
      sampleWanted = false;
      mountSample();
      return Next.again();
    }
    if (reading != null) {
      step(reading, now);
      return Next.again();
    }
    PackJob job = jobs.tryReceive();
    if (job != null) {
      begin(job, now);
      return Next.again();
    }
    return packs.sweep(now).map(at -> Next.await(jobs, at)).orElseGet(() -> Next.await(jobs));
  }

  private void begin(PackJob job, Instant now) {
    switch (job) {
      case PackJob.ScanEnded _ -> packs.scanned();
      case PackJob.Remove(var name, var file) -> {
        packs.remove(name, file, now);
        changed(name, "removed");
      }
      case PackJob.Verify(PackFile file) -> {
        switch (Packs.open(file.path(), directories)) {
          case Packs.Opening.Opened(Pack pack) -> reading = new OpenPack(file, pack, pack.check());
          case Packs.Opening.Refused(PackFault fault) -> refuse(file, fault);
        }
      }
    }
  }

  private void step(OpenPack now, Instant at) throws IOException {
    switch (now.check.step()) {
      case PackCheck.Progress.Going _ -> {}
      case PackCheck.Progress.Refused(PackFault fault) -> {
        reading = null;
        now.pack.close();
        refuse(now.file, fault);
      }
      case PackCheck.Progress.Good(Address address) -> {
        reading = null;
        finish(now, address, at);
      }
    }
  }

  /** A file that changed meanwhile is seen by the watch and read again. */
  private void finish(OpenPack read, Address address, Instant now) throws IOException {
    @Nullable PackFault fault = broken(read.file, address);
    boolean same = PackFolders.stat(read.file.path()).filter(read.file::equals).isPresent();
    if (fault != null || !same) {
      read.pack.close();
      if (fault != null) {
        refuse(read.file, fault);
      }
      return;
    }
    packs.mount(new MountedPack(read.file.name(), address, read.pack), read.file.path(), now);
    changed(read.file.name(), "mounted " + address);
  }

  private static @Nullable PackFault broken(PackFile file, Address address) {
    if (file.promise().isEmpty()) {
      return null;
    }
    return switch (Address.parse(file.promise().get())) {
      case CheckResult.Bad<Address>(var why) ->
          new PackFault.BadMetadata("its .b3 file holds no address: " + why.code());
      case CheckResult.Good<Address>(Address promised) ->
          promised.equals(address) ? null : new PackFault.OtherAddress(promised, address);
    };
  }

  private void refuse(PackFile file, PackFault fault) {
    packs.refuse(file.path(), fault);
    log.warn("pack refused", "pack", file.name(), "code", fault.code(), "detail", fault.detail());
    events.publish(new EdgeEvent.PackChanged(file.name(), "refused: " + fault.code()));
  }

  private void changed(String name, String what) {
    log.info("pack " + what, "pack", name);
    events.publish(new EdgeEvent.PackChanged(name, what));
  }

  private void mountSample() throws IOException {
    switch (Packs.open(SamplePack.bytes(), directories)) {
      case Packs.Opening.Refused(PackFault fault) ->
          throw new IllegalStateException("the sample pack: " + fault.detail());
      case Packs.Opening.Opened(Pack pack) -> {
        if (pack.check().run() instanceof PackCheck.Progress.Good(Address address)) {
          packs.sample(new MountedPack(SamplePack.NAME, address, pack));
        } else {
          throw new IllegalStateException("the sample pack is not whole");
        }
      }
    }
  }
}
