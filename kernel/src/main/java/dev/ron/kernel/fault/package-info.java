/** Errors as closed values: {@link Fault}, whose {@link Blame} it is, and the kernel's own. */
@NullMarked
package dev.ron.kernel.fault;

import org.jspecify.annotations.NullMarked;
