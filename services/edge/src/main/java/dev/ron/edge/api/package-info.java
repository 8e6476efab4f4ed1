/**
 * The verbs: each reads its request, asks the cache or a pack, and writes its answer.
 *
 * <pre>
 * routes ............ EdgeRoutes           what verbs share ..... Desk
 * an asset .......... Asset                faults as statuses ... Problems
 * who may ........... Rights
 * packs ............. PackRoutes: RawPack, Tile, TileJson, PackList; what they share: PackDesk
 * the map page ...... MapPage, PageFiles, Glyphs; validators and ranges: Representation
 * </pre>
 */
@NullMarked
package dev.ron.edge.api;

import org.jspecify.annotations.NullMarked;
