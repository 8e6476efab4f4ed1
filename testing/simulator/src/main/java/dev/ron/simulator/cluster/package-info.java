/**
 * Machines that keep logs together, whatever service they have.
 *
 * <pre>
 * the machines and their troubles ........ LoggedCluster
 * one of them ............................ LoggedMachine
 * a service on it ........................ BootedService
 * </pre>
 */
@NullMarked
package dev.ron.simulator.cluster;

import org.jspecify.annotations.NullMarked;
