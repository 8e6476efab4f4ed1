package dev.ron.node.demo;

/** One part of the tour. */
interface Chapter {
  String title();

  /** What the reader may look at meanwhile. */
  String watch();

  /** Does it, and tells what came out. */
  ChapterResult play(DemoNode node, Narrator say) throws Exception;
}
