/** The rules of a shared cache as pure functions: no thread, no clock, no I/O. */
@NullMarked
package dev.ron.edge.core;

import org.jspecify.annotations.NullMarked;
