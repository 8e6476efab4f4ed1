/**
 * A guided tour with real effects on a real node: {@code ron demo}.
 *
 * <p>{@link dev.ron.node.demo.Tour} plays the chapters in order on one {@link
 * dev.ron.node.demo.DemoNode}, a process of its own that may be killed. Each {@link
 * dev.ron.node.demo.Chapter} ends in a {@link dev.ron.node.demo.Figure} that is right or wrong; a
 * wrong one makes the command fail.
 */
@NullMarked
package dev.ron.node.demo;

import org.jspecify.annotations.NullMarked;
