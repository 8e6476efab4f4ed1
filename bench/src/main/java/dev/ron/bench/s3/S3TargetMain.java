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
import java.util.HashMap;
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
  /** In the folder: a line of tenant, access key id and secret for each tenant. */
  static final String PAIRS = "pairs";

  /** In the folder: where the storage keeps all there is. */
  static final String DATA = "data";

  private S3TargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the folder, and the tenants and settings; a setting has an equals sign
   */
  public static void main(String[] args) throws Exception {
    Tree tree = start(args[0], Path.of(args[1]), List.of(args).subList(2, args.length));
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }

  static Tree start(String port, Path folder, List<String> tenantsAndSettings) throws Exception {
    var given = new HashMap<>(Map.of("storage.data_dirs", folder.resolve(DATA).toString()));
    var tenants = new ArrayList<String>();
    for (String each : tenantsAndSettings) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        tenants.add(each);
      } else {
        given.put(each.substring(0, equals), each.substring(equals + 1));
      }
    }
    Settings settings = Settings.load(given, Map.of(), Optional.empty());
    var storage = settings.read("storage", StorageConfig::read);
    var config =
        settings.read(
            "storage", section -> StorageS3Config.read(section.section("s3"), "127.0.0.1:" + port));
    settings.check();
    World world = World.real(Log.silent());
    KeyRing ring = KeyRing.generate(world.secrets());
    Files.createDirectories(folder);
    Files.write(folder.resolve(PAIRS), pairs(new TokenMint(ring, world.secrets()), tenants));
    var scope = Scope.of("s3", world);
    var verifier = new Verifier(new Trust(ring, Revocations.NONE));
    return StorageS3Service.wire(
            config.value(), storage.value(), scope, Limits.OPEN, List.of(), verifier)
        .supervisor()
        .start(scope);
  }

  private static List<String> pairs(TokenMint mint, List<String> tenants) {
    var lines = new ArrayList<String>();
    for (String tenant : tenants) {
      KeyPair pair = KeyPair.of(mint.mint(List.of(new Caveat.Tenant(tenant))));
      lines.add(String.join(" ", tenant, pair.accessKeyId(), pair.secret()));
    }
    return lines;
  }
}
