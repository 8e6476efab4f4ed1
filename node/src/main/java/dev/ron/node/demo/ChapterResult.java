package dev.ron.node.demo;

/**
 * The result of a chapter.
 *
 * @param text the figure that matters, in a sentence
 * @param right whether it is what was promised
 */
record ChapterResult(String text, boolean right) {}
