/**
 * What a person looks at in a browser.
 *
 * <p>{@link dev.ron.node.dashboard.Pages} serves the files beside this package on the class path;
 * {@link dev.ron.node.dashboard.Passage} carries their requests to the services, so that the pages
 * speak to the same public routes as anyone and need no rights of their own; {@link
 * dev.ron.node.dashboard.PassagePolicy} says what of an answer may stand on their origin.
 */
@NullMarked
package dev.ron.node.dashboard;

import org.jspecify.annotations.NullMarked;
