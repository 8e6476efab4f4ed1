/**
 * Signatures that are verified without a secret, for documents that leave the machine.
 *
 * <pre>
 * Ed25519 and ML-DSA ... SignatureKind
 * </pre>
 */
@NullMarked
package dev.ron.capability.signature;

import org.jspecify.annotations.NullMarked;
