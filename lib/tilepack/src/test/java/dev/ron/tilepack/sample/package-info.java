/**
 * Makes an invented archipelago from nothing but numbers, so that there is a map to look at. A tool
 * of the build: it stands among the tests because it needs the writers that they need, and does not
 * ship.
 *
 * <pre>
 * SampleMap    makes the whole pack              SampleTile   one tile of it
 * Archipelago  everything that is on the map     Terrain      how high the land, how deep the sea
 * Rivers       where water runs down             Roads        the cheapest way between two towns
 * Places       towns, peaks, islands, waters     Noise        chance that is the same each time
 * Grid         the terrain, a square kilometre a cell
 * Contours     where a field is above a level    Polyline     cut, smoothed and thinned lines
 * </pre>
 *
 * Positions are kilometres east and south of where the equator meets the prime meridian.
 */
@NullMarked
package dev.ron.tilepack.sample;

import org.jspecify.annotations.NullMarked;
