/** To come. */
@NullMarked
package dev.ron.http.decode;

import org.jspecify.annotations.NullMarked;
