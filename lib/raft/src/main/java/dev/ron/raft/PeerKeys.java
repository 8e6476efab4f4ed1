package dev.ron.raft;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;

/**
 * What machines know each other by: each shows a certificate that the same authority signed, the
 * one that calls as well as the one that is called.
 *
 * <p>Both are asked with each connection, so certificates can be renewed and revoked while running.
 *
 * <p>Threading: immutable; both parts are thread-safe.
 *
 * @param shown this machine's certificate, for the name that the others call it by
 * @param check of what the others show
 */
public record PeerKeys(X509ExtendedKeyManager shown, X509ExtendedTrustManager check) {
  Parameters parameters() {
    var parameters = new Parameters();
    GrpcConfigKeys.TLS.setConf(parameters, new GrpcTlsConfig(shown, check, true));
    return parameters;
  }
}
