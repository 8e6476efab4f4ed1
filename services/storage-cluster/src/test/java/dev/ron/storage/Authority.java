package dev.ron.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Signs certificates for the nodes of a test, by the JDK's keytool.
 *
 * <p>Threading: owned by the test.
 */
final class Authority {
  private static final String PASSWORD = "of-a-test";
  private static final String SELF = "authority";

  private final Path folder;
  private final Path store;

  Authority(Path folder) throws Exception {
    this.folder = Files.createDirectories(folder);
    this.store = folder.resolve("all.p12");
    keytool("-alias", SELF, "-dname", "CN=authority", "-validity", "2", "-ext", "bc:c");
    write(file(), certificate(SELF));
  }

  Path file() {
    return folder.resolve("ca.pem");
  }

  /** A pair for a node on loopback, as settings. */
  String[] pair(String name) throws Exception {
    return pair(name, "-validity", "1");
  }

  /** One whose time was over yesterday. */
  String[] expired(String name) throws Exception {
    return pair(name, "-startdate", "-3d", "-validity", "2");
  }

  private String[] pair(String name, String... time) throws Exception {
    var words = new ArrayList<>(List.of("-alias", name, "-dname", "CN=" + name, "-signer", SELF));
    words.addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1"));
    words.addAll(List.of(time));
    keytool(words.toArray(String[]::new));
    Path cert = folder.resolve(name + ".pem");
    Path key = folder.resolve(name + "-key.pem");
    write(cert, certificate(name));
    write(key, pem("PRIVATE KEY", store().getKey(name, PASSWORD.toCharArray()).getEncoded()));
    return new String[] {
      "cluster.tls.cert=" + cert, "cluster.tls.key=" + key, "cluster.tls.ca=" + file()
    };
  }

  private void keytool(String... words) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(text);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private KeyStore store() throws Exception {
    var keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private String certificate(String alias) throws Exception {
    Certificate certificate = store().getCertificate(alias);
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  private static String pem(String kind, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, body, kind);
  }

  private static void write(Path file, String pem) throws IOException {
    Files.writeString(file, pem);
  }
}
