package dev.ron.http.tls;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * A server's certificate and key, read from PEM files and read again when told to.
 *
 * <p>Connections that are open keep the certificate they began with; new ones get the new one. A
 * pair that cannot be read leaves the old one in service.
 *
 * <p>Threading: thread-safe; {@code inService} is replaced whole.
 */
public final class Tls {
  /** Offered in this order; a client that speaks neither is refused. */
  static final ApplicationProtocolConfig ALPN =
      new ApplicationProtocolConfig(
          Protocol.ALPN,
          SelectorFailureBehavior.NO_ADVERTISE,
          SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  /**
   * ML-KEM beside X25519 first: traffic recorded today stays closed to a later quantum computer. A
   * client that does not know it takes the next.
   */
  private static final String[] GROUPS = {"X25519MLKEM768", "X25519", "P-256", "P-384"};

  private static final List<String> NEWEST = List.of("TLSv1.3");
  private static final List<String> KNOWN_TO_ALL = List.of("TLSv1.3", "TLSv1.2");

  private final Files files;
  private final List<String> versions;
  private final SslProvider provider;
  private volatile InService inService;

  /** Reads the files into the beginning of a context. */
  private interface Files {
    Draft read() throws IOException;
  }

  /**
   * @param certificate what the server shows as its own
   */
  private record Draft(SslContextBuilder builder, Optional<X509Certificate> certificate) {}

  private record InService(SslContext context, Optional<X509Certificate> certificate) {}

  public Tls(Path certificates, Path key) throws IOException {
    this(pair(certificates, key), NEWEST, fastestProvider());
  }

  /**
   * For a door that programs of others call: version 1.2 too, with the suites that HTTP/2 lets it
   * have. Their keys are made for one connection, and no record can be changed.
   *
   * <p>By BoringSSL alone: the JDK lets a client of 1.2 ask for handshakes without end on one
   * connection, which no limit here counts.
   */
  public static Tls forAnyClient(Path certificates, Path key) throws IOException {
    return forAnyClient(certificates, key, fastestProvider());
  }

  public static Tls forAnyClient(Path certificates, Path key, SslProvider provider)
      throws IOException {
    return new Tls(
        pair(certificates, key), provider == SslProvider.JDK ? NEWEST : KNOWN_TO_ALL, provider);
  }

  /** Lets in only peers that show a certificate of the peers' authority. */
  public Tls(PeerTls peers) throws IOException {
    this(() -> new Draft(peers.server(), Optional.empty()), NEWEST, fastestProvider());
  }

  private Tls(Files files, List<String> versions, SslProvider provider) throws IOException {
    this.files = files;
    this.versions = versions;
    this.provider = provider;
    this.inService = read();
  }

  private static Files pair(Path certificates, Path key) {
    return () -> {
      var pair = PemPair.read(certificates, key);
      return new Draft(
          SslContextBuilder.forServer(pair.key(), pair.chain()), Optional.of(pair.chain()[0]));
    };
  }

  /** BoringSSL where its binary fits this machine, else the JDK's own. */
  public static SslProvider fastestProvider() {
    return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
  }

  public SslContext context() {
    return inService.context();
  }

  /** What a client can pin; empty where peers show certificates to each other. */
  public Optional<X509Certificate> certificate() {
    return inService.certificate();
  }

  /** Reads the files again; throws, with the old pair still in service, if they do not fit. */
  public void reload() throws IOException {
    inService = read();
  }

  private InService read() throws IOException {
    Draft draft = files.read();
    SslContextBuilder builder =
        draft
            .builder()
            .sslProvider(provider)
            .protocols(versions)
            .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
            .applicationProtocolConfig(ALPN);
    if (provider != SslProvider.JDK) {
      builder.option(OpenSslContextOption.GROUPS, GROUPS);
    }
    return new InService(builder.build(), draft.certificate());
  }
}
