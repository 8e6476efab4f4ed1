/** Files that can fail: {@link Disk}, and the real one. Tests bring one that tears writes. */
@NullMarked
package dev.ron.kernel.disk;

import org.jspecify.annotations.NullMarked;
