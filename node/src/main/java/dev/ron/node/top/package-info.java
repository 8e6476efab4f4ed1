/**
 * The ron top command: what the services of a running node do each second.
 *
 * <pre>
 * ron top ..................... TopCommand
 * one service at one moment ... TopSample
 * two samples as a table ...... TopTable
 * </pre>
 */
@NullMarked
package dev.ron.node.top;

import org.jspecify.annotations.NullMarked;
