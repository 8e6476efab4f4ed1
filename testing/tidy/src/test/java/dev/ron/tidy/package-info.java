/**
 * The style, run over the project and over code that breaks it on purpose.
 *
 * <p>Words: the real tree is {@code TidyTest}; what its compiled classes use is {@code
 * ClassLayeringTest}; the table of broken code is {@code PlantedTest} over {@code PlantedCalls},
 * {@code PlantedShapes} and {@code PlantedTrees}.
 */
@NullMarked
package dev.ron.tidy;

import org.jspecify.annotations.NullMarked;
