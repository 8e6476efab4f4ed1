/**
 * TLS: certificates that can be replaced while running, and mutual TLS between machines.
 *
 * <pre>
 * a server's certificate, reloadable .......... Tls
 * mutual TLS between machines of a cluster .... PeerTls
 * what both sides show and check, live ........ PeerIdentity
 * trust in one's own doors ................. PinnedCertificates
 * signs certificates for machines ............. CertificateAuthority
 * certificates and keys as text ............... Pem
 * certificates as bytes ....................... DerWriter
 * certificate chain and its key ............... PemPair
 * a self-signed certificate for one machine ... DevCertificate
 * </pre>
 */
@NullMarked
package dev.ron.http.tls;

import org.jspecify.annotations.NullMarked;
