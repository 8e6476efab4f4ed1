/**
 * The invented map that ships, as the build made it: {@code SamplePack}. The code that draws it is
 * a tool of the build, in the tests of this module.
 */
@NullMarked
package dev.ron.tilepack.sample;

import org.jspecify.annotations.NullMarked;
