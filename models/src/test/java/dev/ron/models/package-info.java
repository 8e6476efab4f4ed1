/**
 * Ron's designs as TLA+ specifications, checked by TLC as ordinary tests.
 *
 * <p>The specifications are in {@code models/tla}. Words: the table of models and verdicts is
 * {@code ModelsTest}; a run of the checker is {@code Tlc}; what it found is {@code Verdict}.
 */
@NullMarked
package dev.ron.models;

import org.jspecify.annotations.NullMarked;
