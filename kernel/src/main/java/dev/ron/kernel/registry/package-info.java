/** Who runs, who waits, which locks exist: {@link Registry}, as a table and as JSON. */
@NullMarked
package dev.ron.kernel.registry;

import org.jspecify.annotations.NullMarked;
