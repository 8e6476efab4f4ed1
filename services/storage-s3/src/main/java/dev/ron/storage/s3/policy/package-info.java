/**
 * Who may do what in a bucket, as its policy and its public access block say.
 *
 * <pre>
 * what a bucket's owner allows and denies .... BucketPolicy
 * reads one, refusing what it does not know .. PolicyReader
 * one statement of it ........................ PolicyStatement
 * whom a statement is about .................. PolicyPrincipals
 * a text with * and ? ........................ WildcardText
 * what must be true of a request ............. PolicyCondition
 * how a condition compares ................... PolicyOperator
 * what a condition may ask about ............. ConditionKey
 * a range of addresses ....................... AddressRange
 * what a policy is asked ..................... PolicyRequest
 * what keeps a bucket from being public ...... PublicAccessBlock
 * policy and block of a bucket together ...... BucketAccess
 * says whether a bucket is public ............ GetBucketPolicyStatus
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.policy;

import org.jspecify.annotations.NullMarked;
