/**
 * Supervised loops and what they work on.
 *
 * <pre>
 * workers ........... FillWorker           work ................ Fill
 * what happened ..... EdgeEvent
 * </pre>
 */
@NullMarked
package dev.ron.edge.task;

import org.jspecify.annotations.NullMarked;
