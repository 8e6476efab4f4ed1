/**
 * An object that a browser sends as a form, with a policy in place of a signed request.
 *
 * <pre>
 * stores it .................................. PostObject
 * the fields of a form, and its file .......... PostedForm
 * cuts a body into the parts of a form ....... FormParts
 * the head of one part ....................... FormPart
 * what the signer lets a form be ............. FormPolicy
 * what a field of it must be ................. FormCondition
 * who signed the policy ...................... FormSignature
 * </pre>
 */
@NullMarked
package dev.ron.storage.s3.form;

import org.jspecify.annotations.NullMarked;
