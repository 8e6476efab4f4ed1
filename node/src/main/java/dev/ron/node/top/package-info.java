/**
 * What the services of a running node do each second, and whether it is well.
 *
 * <pre>
 * ron top ..................... TopCommand
 * ron status .................. StatusCommand
 * one service at one moment ... TopSample
 * two samples as a table ...... TopTable
 * </pre>
 */
@NullMarked
package dev.ron.node.top;

import org.jspecify.annotations.NullMarked;
