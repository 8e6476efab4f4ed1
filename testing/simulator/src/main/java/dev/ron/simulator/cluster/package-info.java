/**
 * Machines that keep something together, whatever service they have.
 *
 * <pre>
 * the machines and their troubles ........ FaultyCluster
 * one of them ............................ ClusterMachine
 * a service on it ........................ BootedService
 * </pre>
 */
@NullMarked
package dev.ron.simulator.cluster;

import org.jspecify.annotations.NullMarked;
