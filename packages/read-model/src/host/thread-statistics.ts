// The engine counts CPU time and input of each thread from /proc/thread-self, whenever the thread begins a part of a statement. It asks stat(2)
// once whether it can, and Landlock refuses to open these files but not to ask about them: the engine then takes them for readable, and throws an
// exception for each beginning (decision 71). No setting turns the count off, so the process takes the name of the file out of the library before
// the engine asks: an empty path names no file, and the engine does without.

import { closeSync, openSync, readSync } from 'node:fs'
import { libc } from './libc.ts'

/** ClickHouse's src/Common/ProcfsMetricsProvider.cpp. */
const STATISTICS = '/proc/thread-self/schedstat'

// elf.h, for 64 bits and little-endian: the header of the file, then one entry for each segment.
const HEADER_BYTES = 64
const ELF = 0x7f45_4c46
const AT_CLASS = 4
const BITS_64 = 2
const AT_SEGMENTS_OFFSET = 32
const AT_SEGMENT_BYTES = 54
const AT_SEGMENTS = 56
const LOADED = 1
const READABLE_ONLY = 4

const CHUNK_BYTES = 1024 * 1024

// dlfcn.h, sys/mman.h, unistd.h
const RTLD_LAZY = 1
const RTLD_NOLOAD = 4
const RTLD_DI_LINKMAP = 2
const PROT_READ = 1
const PROT_WRITE = 2
const SC_PAGESIZE = 30

/**
 * Keeps the engine from statistics of threads. Does nothing where this process may read them, or where the library or the system is not what is
 * expected: the engine then works as well, and slower.
 * @param library path of libchdb, which is loaded and has executed no statement yet.
 */
export function leaveThreadsUncounted(library: string): void {
  if (process.platform !== 'linux' || canBeRead(STATISTICS)) return
  try {
    const address = placeOf(`\0${STATISTICS}\0`, library)
    const loadedAt = address === null ? null : baseOf(library)
    if (address !== null && loadedAt !== null) overwriteFirst(loadedAt + address + 1, STATISTICS)
  } catch {
    // Another format of libraries, or a C library without dlopen: before glibc 2.34 that was in a library of its own.
  }
}

function canBeRead(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  }
}

/** Address of `text` in the constants of the library, relative to where it is loaded. Null where it is not among them. */
function placeOf(text: string, library: string): number | null {
  const file = openSync(library, 'r')
  try {
    const header = bytesAt(file, 0, HEADER_BYTES)
    if (header.readUInt32BE(0) !== ELF || header[AT_CLASS] !== BITS_64) return null
    const size = header.readUInt16LE(AT_SEGMENT_BYTES)
    const first = Number(header.readBigUInt64LE(AT_SEGMENTS_OFFSET))
    for (let n = 0; n < header.readUInt16LE(AT_SEGMENTS); n++) {
      const segment = bytesAt(file, first + n * size, size)
      if (segment.readUInt32LE(0) !== LOADED || segment.readUInt32LE(4) !== READABLE_ONLY) continue
      const [offset = 0, address = 0, , length = 0] = [8, 16, 24, 32].map((at) => Number(segment.readBigUInt64LE(at)))
      const found = offsetOf(text, file, offset, offset + length)
      if (found !== null) return found - offset + address
    }
    return null
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, offset: number, length: number, memory = Buffer.alloc(length)): Buffer {
  return memory.subarray(0, readSync(file, memory, 0, length, offset))
}

/** Offset in the file, between `from` and `to`, at which `text` first begins. */
function offsetOf(text: string, file: number, from: number, to: number): number | null {
  // One memory for all: this process hardly ever collects garbage, and the engine counts it as its own.
  const memory = Buffer.alloc(CHUNK_BYTES + text.length - 1)
  for (let at = from; at < to; at += CHUNK_BYTES) {
    // A text that begins in one chunk may end in the next.
    const place = bytesAt(file, at, Math.min(memory.length, to - at), memory).indexOf(text)
    if (place >= 0) return at + place
  }
  return null
}

/** Where the library is loaded: the first word of its `struct link_map` (link.h). Null where it is not. */
function baseOf(library: string): number | null {
  const handle = libc('dlopen', terminated(library), RTLD_LAZY | RTLD_NOLOAD)
  if (handle === 0) return null
  const pointer = Buffer.alloc(8)
  if (libc('dlinfo', handle, RTLD_DI_LINKMAP, pointer) !== 0) return null
  const base = Buffer.alloc(8)
  libc('memcpy', base, Number(pointer.readBigUInt64LE()), base.length)
  return Number(base.readBigUInt64LE())
}

/** Makes the text at `address` an empty one, if it is `expected`, terminated by a zero. */
function overwriteFirst(address: number, expected: string): void {
  if (libc('memcmp', address, terminated(expected), expected.length + 1) !== 0) return
  const page = address - (address % libc('sysconf', SC_PAGESIZE))
  if (libc('mprotect', page, address + 1 - page, PROT_READ | PROT_WRITE) !== 0) return
  libc('memset', address, 0, 1)
  libc('mprotect', page, address + 1 - page, PROT_READ)
}

function terminated(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}
