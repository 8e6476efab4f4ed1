/**
 * Capabilities: macaroons that say who may do what, how much and until when.
 *
 * <p>The token is a {@code Macaroon}, its bytes are {@code MacaroonCodec}, its base64 is {@code
 * TokenText} and its HMAC chain is {@code SignatureChain}. What narrows it is a {@code Caveat},
 * read by {@code CaveatGrammar}; {@code PathPrefix}, {@code NormalPath} and {@code Box} define the
 * caveats that need more than equality. {@code Minting} makes tokens with the active {@code
 * SigningKey} of a {@code KeyRing}; {@code TokenId} is what {@code Revocations} lists. {@code
 * KeyRingFile}, {@code RevocationFile} and {@code TokenFile} are what is on disk. {@code Verifier}
 * makes a {@code Capability} of an authentic token and says so in an {@code Authentication}; it
 * answers an {@code Ask} with a {@code Verdict}: a {@code Grant} or a {@code CapabilityFault}.
 * {@code Allowance} is what all caveats of a token leave together, {@code InheritedRate} what its
 * rates are counted under, and {@code VerificationCache} remembers checked signatures.
 */
@NullMarked
package dev.ron.capability;

import org.jspecify.annotations.NullMarked;
