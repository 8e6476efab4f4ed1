package dev.ron.node.fsck;

import dev.ron.node.NodeFolders;
import dev.ron.node.NodeSettings;

/**
 * Folders that are checked, and whether what belongs together is in them.
 *
 * <p>Threading: immutable.
 *
 * @param keysAreHere whether the keys that buckets are encrypted with are in the folder of keys
 * @param objectsAreHere whether all objects are on these disks: none on another machine or in the
 *     bucket of a tier
 */
public record CheckTarget(NodeFolders folders, boolean keysAreHere, boolean objectsAreHere) {
  /**
   * @param folders those of the configuration, or copies of them
   */
  public static CheckTarget of(NodeSettings settings, NodeFolders folders) {
    boolean allHere = NodeFolders.elsewhere(settings).isEmpty();
    return new CheckTarget(folders, allHere, allHere && !NodeFolders.isOfSeveral(settings));
  }
}
