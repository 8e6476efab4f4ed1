package dev.ron.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;

/**
 * What machines know each other by: each shows a certificate that the same authority signed, the
 * one that calls as well as the one that is called.
 *
 * <p>Threading: immutable.
 *
 * @param certificate of this machine, PEM, for the name that the others call it by
 * @param key of the certificate, PKCS#8 PEM
 * @param authority whose certificates are taken, PEM
 */
public record PeerKeys(Path certificate, Path key, Path authority) {
  /** For Ratis, which reads the files by itself and says nothing useful if one is missing. */
  Parameters parameters() throws IOException {
    for (Path file : List.of(certificate, key, authority)) {
      if (!Files.isReadable(file)) {
        throw new IOException("the peers' TLS needs " + file + ", which cannot be read");
      }
    }
    var parameters = new Parameters();
    GrpcConfigKeys.TLS.setConf(
        parameters,
        new GrpcTlsConfig(key.toFile(), certificate.toFile(), authority.toFile(), true));
    return parameters;
  }
}
