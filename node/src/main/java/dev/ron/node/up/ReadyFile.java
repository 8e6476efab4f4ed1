package dev.ron.node.up;

import dev.ron.kernel.registry.RegistryJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells a program that waits for the node that it is ready, where, and with which token.
 *
 * <p>It appears whole, by a rename, and only its owner can read it: the token in it may do
 * anything.
 */
final class ReadyFile {
  private ReadyFile() {}

  static void write(Path file, Map<String, String> services, String admin, String capability)
      throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path whole =
        Files.createTempFile(
            folder,
            "ready",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(whole, json(services, admin, capability));
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static String json(Map<String, String> services, String admin, String capability) {
    String urls =
        services.entrySet().stream()
            .map(
                service ->
                    "%s:{\"url\":%s}"
                        .formatted(
                            RegistryJson.quoted(service.getKey()),
                            RegistryJson.quoted(service.getValue())))
            .collect(Collectors.joining(","));
    return "{\"services\":{%s},\"admin\":%s,\"capability\":%s,\"pid\":%d}\n"
        .formatted(
            urls,
            RegistryJson.quoted(admin),
            RegistryJson.quoted(capability),
            ProcessHandle.current().pid());
  }
}
