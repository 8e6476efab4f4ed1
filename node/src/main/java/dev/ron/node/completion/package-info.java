/**
 * What shells complete when a command of ours is typed.
 *
 * <pre>
 * ron completion .......... CompletionCommand
 * the script for fish ..... FishScript
 * </pre>
 */
@NullMarked
package dev.ron.node.completion;

import org.jspecify.annotations.NullMarked;
