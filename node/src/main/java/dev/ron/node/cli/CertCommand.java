package dev.ron.node.cli;

import dev.ron.http.tls.DevCertificate;
import dev.ron.kernel.time.SystemTime;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Certificates for trying things out.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "cert",
    description = "Certificates for development.",
    subcommands = CertCommand.Dev.class)
public final class CertCommand {
  /** Makes a key and a certificate for localhost. */
  @Command(name = "dev", description = "A key and a self-signed certificate for localhost.")
  static final class Dev implements Callable<Integer> {
    @Option(names = "--out", defaultValue = "./data/tls", description = "The folder to write to.")
    private Path out = Path.of("./data/tls");

    @Override
    public Integer call() throws Exception {
      DevCertificate made = DevCertificate.make(out, new SystemTime().wall());
      System.out.printf("certificate %s%nkey         %s%n", made.certificate(), made.key());
      return 0;
    }
  }
}
