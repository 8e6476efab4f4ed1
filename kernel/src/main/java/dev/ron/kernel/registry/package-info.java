/**
 * The tasks, channels and locks of a service, for the start table, the dashboard and the docs.
 *
 * <pre>
 * tasks, channels and locks, live ... Registry
 * rows of the registry .............. TaskRow, ChannelRow, LockRow
 * registry as JSON, as text ......... RegistryJson, RegistryTable
 * </pre>
 */
@NullMarked
package dev.ron.kernel.registry;

import org.jspecify.annotations.NullMarked;
