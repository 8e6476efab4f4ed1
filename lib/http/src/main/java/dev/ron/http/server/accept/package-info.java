/**
 * New connections: where they are accepted, how many may be open, and which protocol they speak.
 *
 * <pre>
 * gives an accepted connection its handlers ...... ConnectionSetup
 * open connections, capped in all and per peer ... Connections
 * protocol agreed on in the TLS handshake ........ AlpnChoice
 * folder of a Unix socket, owner only ............ UnixFolder
 * </pre>
 */
@NullMarked
package dev.ron.http.server.accept;

import org.jspecify.annotations.NullMarked;
