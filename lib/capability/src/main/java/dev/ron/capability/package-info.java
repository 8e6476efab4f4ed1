/**
 * Capabilities: macaroons that say who may do what, how much and until when; minted, encoded,
 * stored, verified and revoked.
 *
 * <pre>
 * checks tokens ....................... Verifier
 * keys and revocations believed now ... Trust
 * an authentic token .................. Capability
 * result of authentication ............ Authentication
 * result of an access request ......... AccessDecision
 * passed check with its limits ........ Grant
 * what all caveats leave together ..... Allowance
 * rate shared by attenuated copies .... InheritedRate
 * why a token does not help ........... CapabilityFault
 * signatures checked a moment ago ..... VerificationCache
 * the token ........................... Macaroon
 * its binary form ..................... MacaroonCodec
 * its base64 form ..................... TokenText
 * why a token cannot be read .......... TokenFormatException
 * HMAC chain of a token ............... SignatureChain
 * key and nonce of a token ............ TokenId
 * a token as id and secret ............ KeyPair
 * makes tokens ........................ TokenMint
 * a named signing secret .............. SigningKey
 * active and retired keys, on disk .... KeyRing, KeyRingFile
 * withdrawn tokens, on disk ........... Revocations, RevocationFile
 * one token on disk ................... TokenFile
 * files only their owner reads ........ SecretFile
 * </pre>
 */
@NullMarked
package dev.ron.capability;

import org.jspecify.annotations.NullMarked;
