package dev.ron.tilepack;

import dev.ron.tilepack.tile.TileId;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Every directory of a PMTiles file once, in the order of their tiles.
 *
 * <p>What one directory cannot know about itself is checked here: the zooms that the header
 * promises, its counts, and the order of tile bytes in a file that calls itself clustered. Holds
 * one directory for each level.
 *
 * <p>Threading: owned by its {@link PackCheck}.
 */
final class PmtilesWalk implements PackCheck.Walk {
  private final PmtilesPack pack;
  private final PmtilesHeader header;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private long addressedTiles;
  private long tileEntries;
  private long clusteredEnd;

  /** A directory that is being read. */
  private static final class Frame {
    private final PmtilesDirectory directory;
    private final DirectoryBounds bounds;
    private int next;

    Frame(PmtilesDirectory directory, DirectoryBounds bounds) {
      this.directory = directory;
      this.bounds = bounds;
    }
  }

  PmtilesWalk(PmtilesPack pack) {
    this.pack = pack;
    this.header = pack.pmtilesHeader();
    frames.push(new Frame(pack.root(), pack.rootBounds()));
  }

  /** As far as the next leaf, or to the end of a directory. */
  @Override
  public boolean step() throws PackRefusal, IOException {
    Frame frame = frames.getFirst();
    while (frame.next < frame.directory.count()) {
      int entry = frame.next++;
      if (frame.directory.isLeaf(entry)) {
        descend(frame, entry);
        return true;
      }
      look(frame.directory, entry);
    }
    frames.pop();
    if (frames.isEmpty()) {
      checkCounts();
      return false;
    }
    return true;
  }

  private void descend(Frame frame, int entry) throws PackRefusal, IOException {
    if (frames.size() == PmtilesPack.DEPTH_MAX) {
      throw PmtilesPack.tooDeep();
    }
    DirectoryBounds bounds = PmtilesPack.leafBounds(frame.directory, entry, frame.bounds);
    frames.push(new Frame(pack.leaf(frame.directory, entry, bounds), bounds));
  }

  private void look(PmtilesDirectory directory, int entry) throws PackRefusal {
    long first = directory.id(entry);
    long last = first + directory.run(entry) - 1;
    if (TileId.zoom(first) < header.zoomMin() || TileId.zoom(last) > header.zoomMax()) {
      throw PackRefusal.directory(
          "tile %s is not within the zooms of the header, %d to %d"
              .formatted(TileId.coord(first), header.zoomMin(), header.zoomMax()));
    }
    long offset = directory.offset(entry);
    if (header.clustered() && offset > clusteredEnd) {
      throw PackRefusal.directory(
          "the file says it is clustered, but tile %s leaves a gap".formatted(TileId.coord(first)));
    }
    clusteredEnd = Math.max(clusteredEnd, offset + directory.length(entry));
    addressedTiles += directory.run(entry);
    tileEntries++;
  }

  private void checkCounts() throws PackRefusal {
    checkCount("addressed_tiles", header.addressedTiles(), addressedTiles);
    checkCount("tile_entries", header.tileEntries(), tileEntries);
    if (header.tileContents() > tileEntries) {
      throw PackRefusal.header(
          "tile_contents",
          "is %d, there are %d entries".formatted(header.tileContents(), tileEntries));
    }
  }

  /** Zero means that the writer did not count. */
  private static void checkCount(String field, long said, long found) throws PackRefusal {
    if (said != 0 && said != found) {
      throw PackRefusal.header(field, "is %d, there are %d".formatted(said, found));
    }
  }
}
