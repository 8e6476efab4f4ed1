/**
 * The closed language of caveats, and what they are checked against.
 *
 * <pre>
 * one restriction of a token ............. Caveat
 * reads the caveat language .............. CaveatGrammar
 * an attempt, as caveats see it .......... AccessRequest
 * prefix of whole segments ............... PathPrefix
 * first bytes of an object's key ......... KeyPrefix
 * path or topic with one meaning ......... CaveatPath
 * whose a named thing is ................. Owner
 * area between meridians and parallels ... Box
 * </pre>
 */
@NullMarked
package dev.ron.capability.caveat;

import org.jspecify.annotations.NullMarked;
