/**
 * Errors as closed values: {@link Fault}, what it has {@link Said} in one row, whose {@link Blame}
 * it is, and the {@link KernelFault}s.
 */
@NullMarked
package dev.ron.kernel.fault;

import org.jspecify.annotations.NullMarked;
