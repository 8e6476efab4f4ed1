/**
 * Configuration from flags, environment, a TOML file and defaults, in that order. Config records
 * read themselves from sections; every problem is collected.
 *
 * <pre>
 * all sources of one start ............... Settings
 * one table of keys ...................... Section
 * one key, declared and read ............. Key
 * an array of tables ..................... TableArray
 * path and source of a section ........... SectionScope
 * config handed out when all is right .... Draft
 * relation between fields ................ Rule
 * everything read so far ................. ConfigRegistry
 * what is known of a key ................. Declaration
 * a key with its value in effect ......... ConfigEntry
 * every key, as printed and documented ... ConfigCatalogue
 * values that need danger_ok ............. WeakerValues
 * what a reload changes .................. Reload
 * all problems as one exception .......... ConfigFault
 * wording of a key's problem ............. ProblemText
 * keys no code reads ..................... UnknownKeys
 * known word nearest to a typo ........... NearestWord
 * bounds and timeouts of an HTTP door .... DoorSettings
 * where such a door listens .............. DoorAddress
 * </pre>
 */
@NullMarked
package dev.ron.config;

import org.jspecify.annotations.NullMarked;
