/**
 * A whole cluster under one seed in one process; see docs/simulator.md.
 *
 * <pre>
 * the command ............................ Simulate
 * </pre>
 */
@NullMarked
package dev.ron.simulator;

import org.jspecify.annotations.NullMarked;
