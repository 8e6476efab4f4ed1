/**
 * Configuration from flags, environment, a TOML file and defaults, in that order.
 *
 * <pre>
 * Settings     the sources of one start or reload; hands out sections, collects every problem
 * Section      one table of keys, read by plain code that declares each key as it reads it
 * Key          one key: default, doc, live, hardened, and the type it is read as
 * Draft        a config that was read, handed out once nothing is wrong with any of them
 * Rule         what a config record checks in its compact constructor
 * Catalogue    every key with its value and Origin; prints the table, the JSON, the reference
 * Reload       what a reload changed, what waits for a restart
 * Problem      one thing wrong, where, and what to do; ConfigFault carries all of them
 * Durations, ByteSize, ByteRate, Address, Secret    the types that are more than text
 * Type, Numbers, Collected, Tables                  how text and TOML become values of a type
 * TomlFile, Environment, Flags, UnknownKeys         the three sources, and what nobody read in them
 * Registry, Scope, Literal, Complaint, Nearest      what was read so far, and the words about it
 * </pre>
 */
@NullMarked
package dev.ron.config;

import org.jspecify.annotations.NullMarked;
