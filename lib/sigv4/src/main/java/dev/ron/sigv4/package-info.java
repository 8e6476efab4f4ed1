/**
 * Request signatures, version 4, as clients of S3 and SQS make them: checked and made. No I/O and
 * no clock; what a request is and who holds which secret comes in.
 *
 * <pre>
 * the request as it was sent ............... SignedRequest
 * checks a signature ....................... SignatureVerifier
 * what came of it .......................... Verification
 * why it is refused ........................ SignatureFault
 * where keys come from ..................... KeySource
 * key pairs that are capabilities .......... CapabilityKeys
 * makes signatures ......................... RequestSigner
 * what differs between services ............ ServiceRules
 * how the body is sent and protected ....... PayloadMode
 * day, region and service of a key ......... CredentialScope
 * key for one scope ........................ DerivedKey
 * signature in the field or in the query ... SignaturePlace
 * what a request says of its signature ..... Authorization
 * the form that is hashed .................. CanonicalRequest, CanonicalPath, RequestQuery
 * when it was signed ....................... RequestTime
 * percent escapes .......................... PercentText
 * hex of hashes, compared in equal time .... SignatureText
 * a fault on its way to the verifier ....... SignatureRefusal
 * </pre>
 */
@NullMarked
package dev.ron.sigv4;

import org.jspecify.annotations.NullMarked;
