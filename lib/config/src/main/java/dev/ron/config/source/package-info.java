/**
 * The three sources of values.
 *
 * <pre>
 * holds raw values by key ...... ConfigSource
 * command-line flags ........... Flags
 * environment variables ........ Environment
 * the TOML file ................ TomlFile
 * one thing wrong, and where ... ConfigProblem
 * </pre>
 */
@NullMarked
package dev.ron.config.source;

import org.jspecify.annotations.NullMarked;
