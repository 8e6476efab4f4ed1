/** To come. */
@NullMarked
package dev.ron.http.json;

import org.jspecify.annotations.NullMarked;
