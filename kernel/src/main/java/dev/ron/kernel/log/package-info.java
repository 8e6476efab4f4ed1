/** What happened, for people and for machines: {@link Log} and its lines. */
@NullMarked
package dev.ron.kernel.log;

import org.jspecify.annotations.NullMarked;
