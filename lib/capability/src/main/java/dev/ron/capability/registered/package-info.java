/**
 * Short names for key pairs, for programs that cannot hold a long one.
 *
 * <pre>
 * short ids and what they stand for ... RegisteredKeys
 * </pre>
 */
@NullMarked
package dev.ron.capability.registered;

import org.jspecify.annotations.NullMarked;
