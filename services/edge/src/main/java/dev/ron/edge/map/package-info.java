/**
 * What the map page needs besides tiles: a style for a pack, and glyphs for its labels.
 *
 * <pre>
 * a style for a pack ..................... MapStyle
 * outlines of a TrueType font ............ TrueType
 * a glyph as a distance field ............ GlyphField
 * 256 glyphs as map clients fetch them ... GlyphRange
 * </pre>
 */
@NullMarked
package dev.ron.edge.map;

import org.jspecify.annotations.NullMarked;
