import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Downloads the Maven that maven-wrapper.properties pins, checks its SHA-512 and unpacks it.
 *
 * <p>Run as a single source file, so that a JDK is the only thing a fresh machine needs: no curl,
 * no unzip. The folder appears by one rename, so a build that is cut off leaves nothing half done.
 */
final class FetchMaven {
  public static void main(String[] args) throws Exception {
    Path properties = Path.of(args[0]);
    Path home = Path.of(args[1]);
    var pinned = new Properties();
    try (InputStream in = Files.newInputStream(properties)) {
      pinned.load(in);
    }
    Path parent = home.toAbsolutePath().getParent();
    Files.createDirectories(parent);
    Path archive = Files.createTempFile(parent, "maven", ".zip");
    Path unpacked = Files.createTempDirectory(parent, "maven");
    try {
      download(URI.create(pinned.getProperty("distributionUrl")), archive);
      check(archive, pinned.getProperty("distributionSha512Sum"));
      unpack(archive, unpacked);
      try (var roots = Files.list(unpacked)) {
        publish(roots.findFirst().orElseThrow(), home);
      }
      Files.deleteIfExists(unpacked);
    } finally {
      Files.deleteIfExists(archive);
    }
  }

  private static void download(URI from, Path to) throws IOException, InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(Duration.ofSeconds(20))
            .build()) {
      HttpRequest request = HttpRequest.newBuilder(from).timeout(Duration.ofMinutes(5)).build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofFile(to));
      if (answer.statusCode() != 200) {
        throw new IOException("GET " + from + " answered " + answer.statusCode());
      }
    }
  }

  private static void check(Path file, String expected) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file));
    String actual = HexFormat.of().formatHex(digest);
    if (!actual.equals(expected)) {
      throw new IOException("Maven's SHA-512 is " + actual + ", pinned is " + expected);
    }
  }

  private static void unpack(Path archive, Path into) throws IOException {
    try (var zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("entry outside the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
          continue;
        }
        Files.createDirectories(target.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
        if (target.getParent().endsWith("bin")) {
          target.toFile().setExecutable(true);
        }
      }
    }
  }

  /** Another build may have been first; then its copy is as good as ours. */
  private static void publish(Path from, Path home) throws IOException {
    try {
      Files.move(from, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException lostTheRace) {
      if (!Files.isExecutable(home.resolve("bin/mvn"))) {
        throw lostTheRace;
      }
    }
  }
}
