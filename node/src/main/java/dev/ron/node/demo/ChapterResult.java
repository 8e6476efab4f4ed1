package dev.ron.node.demo;

/**
 * What a chapter comes to.
 *
 * @param text the figure that matters, in a sentence
 * @param right whether it is what was promised
 */
record ChapterResult(String text, boolean right) {}
