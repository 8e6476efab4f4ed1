/**
 * Both protocols, read into one tree of members and written from one.
 *
 * <pre>
 * which protocol a request speaks ......... SqsProtocol
 * the members of a request ................ RequestTree
 * members of a form ....................... QueryTree
 * the members of an answer ................ AnswerTree
 * an answer as JSON and as XML ............ AnswerText
 * errors in both .......................... SqsErrorFormat
 * the id of a request ..................... RequestId
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs.protocol;

import org.jspecify.annotations.NullMarked;
