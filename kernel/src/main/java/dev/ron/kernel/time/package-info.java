@NullMarked
package dev.ron.kernel.time;

import org.jspecify.annotations.NullMarked;
