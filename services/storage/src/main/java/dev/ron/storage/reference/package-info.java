/**
 * Whose an object is: shared bytes, with one reference for each tenant that stored them.
 *
 * <pre>
 * what one tenant keeps of an object, as it is stored ... Reference
 * every reference that is stored, in memory ............. ReferenceTable
 * what each tenant keeps, its limit and its charge ....... StoredBytes
 * references on the disks, like objects ................. ReferenceRecords
 * one change of an object's references at a time ........ AddressTurns
 * objects as their callers reach them ................... ObjectViews
 * objects with references ............................... ReferencedObjects
 * the objects of one tenant, of the operator ............ TenantView, OperatorView
 * task that deletes what no reference keeps ............. ReferenceCollector
 * </pre>
 */
@NullMarked
package dev.ron.storage.reference;

import org.jspecify.annotations.NullMarked;
