/** Whether the service should get traffic: {@link Readiness}, a set of named conditions. */
@NullMarked
package dev.ron.kernel.ready;

import org.jspecify.annotations.NullMarked;
