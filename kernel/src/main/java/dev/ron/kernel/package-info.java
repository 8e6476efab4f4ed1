/**
 * The concurrency kernel: what every service is built from. The root holds a service's
 * surroundings.
 *
 * <pre>
 * what one service is wired in ................ Scope
 * time, chance, secrets, disk, threads, log ... World
 * numbers that must not be guessed ............ SecretSource
 * </pre>
 */
@NullMarked
package dev.ron.kernel;

import org.jspecify.annotations.NullMarked;
