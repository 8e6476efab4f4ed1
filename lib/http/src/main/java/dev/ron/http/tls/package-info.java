/**
 * TLS 1.3: {@link Tls} serves a certificate that can be replaced while running, {@link
 * DevCertificate} makes one for a laptop. {@link PeerTls} is for machines that prove themselves to
 * each other.
 */
@NullMarked
package dev.ron.http.tls;

import org.jspecify.annotations.NullMarked;
