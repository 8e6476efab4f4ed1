package dev.ron.bench.s3;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.StorageS3Service;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Our S3 door in a process of its own: one directory, every read verified, every write flushed.
 *
 * <p>It writes the key pairs of its tenants to a file before it listens, and ends when its standard
 * input does, and so with the process that started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class S3TargetMain {
  private S3TargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the folder, and the tenants; the file {@code pairs} in the folder gets a
   *     line of tenant, access key id and secret for each
   */
  public static void main(String[] args) throws Exception {
    String port = args[0];
    Path folder = Path.of(args[1]);
    Settings settings =
        Settings.load(
            Map.of(
                "storage.data_dirs", folder.resolve("data").toString(),
                "storage.s3.garbage.grace", "10s",
                "storage.s3.garbage.period", "1s",
                "storage.s3.lifecycle.day", "10s",
                "storage.s3.lifecycle.period", "1s"),
            Map.of(),
            Optional.empty());
    var storage = settings.read("storage", StorageConfig::read);
    var config =
        settings.read(
            "storage", section -> StorageS3Config.read(section.section("s3"), "127.0.0.1:" + port));
    settings.check();
    World world = World.real(Log.silent());
    KeyRing ring = KeyRing.generate(world.secrets());
    var mint = new TokenMint(ring, world.secrets());
    var lines = new ArrayList<String>();
    for (String tenant : List.of(args).subList(2, args.length)) {
      KeyPair pair = KeyPair.of(mint.mint(List.of(new Caveat.Tenant(tenant))));
      lines.add(String.join(" ", tenant, pair.accessKeyId(), pair.secret()));
    }
    Files.createDirectories(folder);
    Files.write(folder.resolve("pairs"), lines);
    var scope = Scope.of("s3", world);
    var verifier = new Verifier(new Trust(ring, Revocations.NONE));
    Tree tree =
        StorageS3Service.wire(
                config.value(), storage.value(), scope, Limits.OPEN, List.of(), verifier)
            .supervisor()
            .start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
