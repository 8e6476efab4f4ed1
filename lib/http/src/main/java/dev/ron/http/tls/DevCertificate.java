package dev.ron.http.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for this machine alone, signed by itself.
 *
 * <p>The JDK can sign certificates only through its {@code keytool}, which every JDK brings along;
 * so this runs it, and turns its key store into the two PEM files servers read.
 *
 * <p>Threading: immutable.
 */
public record DevCertificate(Path certificate, Path key) {
  private static final String ALIAS = "dev";
  private static final long KEYTOOL_SECONDS_MAX = 30;

  /** Makes a pair valid for a year for localhost and the loopback addresses. */
  public static DevCertificate make(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path workFolder = Files.createTempDirectory(folder, "keytool");
    Path store = workFolder.resolve("pair.p12");
    var random = new byte[16];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    try {
      keytool(store, password);
      return export(store, password, folder);
    } catch (GeneralSecurityException e) {
      throw new IOException("keytool's store cannot be read", e);
    } finally {
      Files.deleteIfExists(store);
      Files.deleteIfExists(workFolder);
    }
  }

  private static void keytool(Path store, String password)
      throws IOException, InterruptedException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    if (!Files.isExecutable(tool)) {
      throw new IOException("this Java has no keytool at " + tool + "; a JDK has");
    }
    var builder =
        new ProcessBuilder(
            List.of(
                tool.toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "365",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1,ip:::1",
                "-storetype",
                "PKCS12",
                "-storepass:env",
                "STORE_PASS",
                "-keystore",
                store.toString()));
    // By environment, because arguments are visible to every user of the machine.
    builder.environment().put("STORE_PASS", password);
    Process process = builder.redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      String words = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool failed: " + words.strip());
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private static DevCertificate export(Path store, String password, Path folder)
      throws IOException, GeneralSecurityException {
    var keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password.toCharArray());
    }
    Path certificate = folder.resolve("dev-cert.pem");
    Path key = folder.resolve("dev-key.pem");
    write(certificate, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded(), "rw-r--r--");
    write(key, "PRIVATE KEY", keys.getKey(ALIAS, password.toCharArray()).getEncoded(), "rw-------");
    return new DevCertificate(certificate, key);
  }

  /** Written aside and moved, so that a reload never reads half a file. */
  private static void write(Path file, String kind, byte[] der, String permissions)
      throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    String pem = "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
    Path aside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "new",
            ".pem",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(aside, pem);
    Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString(permissions));
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
