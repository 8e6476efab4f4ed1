/**
 * Checksums of objects as S3 clients send them: of one body, of a multipart object from its parts.
 *
 * <pre>
 * which function ....................... ChecksumAlgorithm
 * of the whole object or of its parts .. ChecksumType
 * a checksum under way ................. ObjectChecksum
 * a finished one, base64 ............... ChecksumValue
 * a multipart object's from its parts .. PartChecksums
 * CRC of 64 bits for NVMe .............. Crc64Nvme
 * CRCs of two halves into one .......... CrcPolynomial
 * </pre>
 */
@NullMarked
package dev.ron.checksum;

import org.jspecify.annotations.NullMarked;
