/**
 * {@code ron backup} and {@code ron restore}: a consistent cut of a node that runs, kept in pieces
 * by their address.
 *
 * <pre>
 * the commands ........................... BackupCommand, RestoreCommand
 * names a repository on the command line . RepositoryOptions
 * where backups lie ...................... BackupRepository
 * in a folder, in a bucket ............... FolderRepository, BucketRepository
 * all files of a node at one moment ...... Cut
 * one store of it ........................ CutUnit
 * a file of the cut ...................... CutFile
 * a file of a backup, as pieces .......... BackupFile
 * all files of a backup as lines ......... FileTable
 * what a backup is, signed ............... BackupManifest
 * makes a backup ......................... BackupWriter
 * reads and checks one ................... BackupReader
 * keys under a passphrase ................ SecretBox
 * where what is restored goes ............ RestorePlaces
 * </pre>
 */
@NullMarked
package dev.ron.node.backup;

import org.jspecify.annotations.NullMarked;
