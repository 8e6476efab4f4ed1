/**
 * The verbs: each reads its request, asks the cache or a pack, and writes its answer.
 *
 * <pre>
 * routes of mounts ................................. EdgeRoutes
 * routes of packs and of the map page .............. PackRoutes
 * parts shared by the verbs of mounts .............. EdgeContext
 * parts shared by the verbs of packs ............... PackContext
 * an asset of a mount .............................. Asset
 * a request that waits for a fill .................. CacheMiss
 * a request the cache may not answer ............... PassThrough
 * an answer from the cache ......................... StoredAnswer
 * an answer from a running fill .................... FillAnswer
 * 1xx answers passed to the client ................. InterimAnswers
 * ETag, preconditions and ranges of served bytes ... Representation
 * one tile of a pack ............................... Tile
 * a pack as TileJSON ............................... TileJson
 * a whole pack, or ranges of it .................... RawPack
 * list of packs .................................... PackList
 * page that draws a pack ........................... MapPage
 * style the page draws it with ..................... ShowStyle
 * scripts and style sheets of the page ............. PageFiles
 * glyphs for the labels of a map ................... Glyphs
 * what a request's capability may read ............. EdgeRights
 * </pre>
 */
@NullMarked
package dev.ron.edge.api;

import org.jspecify.annotations.NullMarked;
