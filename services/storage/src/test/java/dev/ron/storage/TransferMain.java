package dev.ron.storage;

import dev.ron.blake3.Address;
import dev.ron.client.StorageClient;
import dev.ron.client.StorageClient.Progress;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stores a file, says its address, reads it back, says how much that was. */
final class TransferMain {
  private TransferMain() {}

  public static void main(String[] args) throws Exception {
    var scope = Scope.of("transfer", World.real(Log.silent()));
    try (var client = new StorageClient(scope, URI.create(args[0]), "");
        OutputStream out =
            new BufferedOutputStream(Files.newOutputStream(Path.of(args[2])), 1 << 16)) {
      String address = client.put(Path.of(args[1]), Progress.NONE).address();
      System.out.println(address);
      long size = client.get(Address.parse(address).orThrow(), out, Progress.NONE);
      out.flush();
      System.out.println("read " + size);
    }
  }
}
