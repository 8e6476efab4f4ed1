/**
 * Supervised loops and what they work on.
 *
 * <pre>
 * workers ........... FillWorker           work ................ Fill
 * what happened ..... EdgeEvent
 * packs ............. PackKeeping: PackWatch finds, PackVerifier reads; a PackJob between them
 * </pre>
 */
@NullMarked
package dev.ron.edge.task;

import org.jspecify.annotations.NullMarked;
