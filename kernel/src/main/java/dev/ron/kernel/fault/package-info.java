/**
 * Expected failures as values.
 *
 * <pre>
 * an expected failure ............................... Fault
 * who has to change something ....................... Blame
 * faults of the kernel itself ....................... KernelFault
 * a fault's row: status, code, blame, retry, text ... Said
 * </pre>
 */
@NullMarked
package dev.ron.kernel.fault;

import org.jspecify.annotations.NullMarked;
