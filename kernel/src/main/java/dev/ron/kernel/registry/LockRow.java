package dev.ron.kernel.registry;

/** A lock as the registry shows it; locks are taken in rising rank. */
public record LockRow(String name, int rank) {}
