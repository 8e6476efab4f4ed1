/**
 * S3's names on three machines, simulated.
 *
 * <pre>
 * what happens to them ................... NamesScenario
 * one machine, wired as in production .... NamesMachine
 * its rows, in the place of RocksDB ...... SimulatedRows
 * the blocks that names lead to .......... SimulatedBlocks
 * clients and what they were told ........ NamesClients
 * </pre>
 */
@NullMarked
package dev.ron.simulator.names;

import org.jspecify.annotations.NullMarked;
