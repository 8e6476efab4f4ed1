/**
 * Signatures: those a policy must carry, and those the rewarder puts on its commitments.
 *
 * <pre>
 * signs commitments with own keys ....... Attestor
 * policy document with its signatures ... PolicyForm
 * signatures a policy needs ............. PolicyTrust
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.sign;

import org.jspecify.annotations.NullMarked;
