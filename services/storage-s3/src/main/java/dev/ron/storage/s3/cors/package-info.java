/**
 * What pages of other origins may do with a bucket.
 *
 * <pre>
 * all rules of a bucket ...................... CorsRules
 * one rule ................................... CorsRule
 * what an answer says of it .................. CorsFields
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.cors;

import org.jspecify.annotations.NullMarked;
