/**
 * What survives, and what is only on its way.
 *
 * <pre>
 * heads of stored answers ... HeadJournal      who needs which object .. References
 * bytes of a running fill ... FillBytes: Spool keeps them all, Pipe only what is not read yet
 * the cache's folder ........ EdgeFolder       files that are sent ..... OpenFiles
 * </pre>
 */
@NullMarked
package dev.ron.edge.disk;

import org.jspecify.annotations.NullMarked;
