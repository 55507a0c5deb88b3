// A seccomp filter against files that SQLite creates. ClickHouse's table function `sqlite()` opens its file before it checks the grant,
// and SQLite creates a file that is absent, so any statement could create a file among the engine's own.
// SQLite opens everything with O_NOFOLLOW; the engine never creates a file with it. So the pair O_CREAT | O_NOFOLLOW is refused, for good:
// a filter stays active after execve and applies to every later thread. https://docs.kernel.org/userspace-api/seccomp_filter.html

import { libc } from './libc.ts'

/** What differs between the processors: linux/audit.h, asm/unistd.h, asm/fcntl.h. */
interface Processor {
  readonly auditArch: number
  readonly openat: number
  /** Null where the kernel has no open(2). */
  readonly open: number | null
  readonly noFollow: number
}

const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: { auditArch: 0xc000_003e, openat: 257, open: 2, noFollow: 0x2_0000 },
  arm64: { auditArch: 0xc000_00b7, openat: 56, open: null, noFollow: 0x8000 },
}
const OPENAT2 = 437
/** Calls of the x32 interface have the processor's own name and this bit in their number. */
const X32_BIT = 0x4000_0000
const O_CREAT = 0x40

const PR_SET_SECCOMP = 22
const SECCOMP_MODE_FILTER = 2
const ALLOW = 0x7fff_0000
const REFUSE = 0x0005_0000
const EACCES = 13
const ENOSYS = 38

// linux/bpf_common.h
const LOAD = 0x20
const AND = 0x54
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const RETURN = 0x06

// struct seccomp_data; of an argument the low half, which is first on both processors.
const AT_NUMBER = 0
const AT_ARCH = 4
const atArgument = (index: number): number => 16 + 8 * index

/** Code, instructions to skip when the condition holds, and when it does not, operand. */
type Instruction = readonly [code: number, yes: number, no: number, operand: number]

/**
 * Refuses the calling thread, and all that it starts or executes, to create a file with O_NOFOLLOW: EACCES. It needs no_new_privs or a privilege.
 * `openat2` does not exist for them (ENOSYS): its flags are in memory, where a filter cannot see them. Nor do calls of other processors' interfaces.
 * @returns null when the filter is installed; otherwise why not.
 */
export function refuseSqliteFiles(): string | null {
  const processor = PROCESSORS[process.arch]
  if (processor === undefined) return `there is no seccomp filter for ${process.arch}`
  const code = Buffer.concat(filterFor(processor).map(encoded))
  const memory = libc('malloc', code.length)
  if (memory === 0) return 'there is no memory for the seccomp filter'
  libc('memcpy', memory, code, code.length)
  // struct sock_fprog: the number of instructions, and where they are.
  const program = Buffer.alloc(16)
  program.writeUInt16LE(code.length / 8, 0)
  program.writeBigUInt64LE(BigInt(memory), 8)
  const result = libc('prctl', PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)
  libc('free', memory)
  return result === 0 ? null : 'the kernel refused the seccomp filter (is "CONFIG_SECCOMP_FILTER" off, or does a container refuse it?)'
}

function filterFor({ auditArch, openat, open, noFollow }: Processor): Instruction[] {
  const both = O_CREAT | noFollow
  /** Checks the flags of one call: every path ends, except for another call, for which the block is skipped. */
  const judged = (call: number, argument: number): Instruction[] => [
    [JUMP_IF_EQUAL, 0, 5, call],
    [LOAD, 0, 0, atArgument(argument)],
    [AND, 0, 0, both],
    [JUMP_IF_EQUAL, 0, 1, both],
    [RETURN, 0, 0, REFUSE | EACCES],
    [RETURN, 0, 0, ALLOW],
  ]
  return [
    [LOAD, 0, 0, AT_ARCH],
    [JUMP_IF_EQUAL, 1, 0, auditArch],
    [RETURN, 0, 0, REFUSE | ENOSYS],
    [LOAD, 0, 0, AT_NUMBER],
    [JUMP_IF_AT_LEAST, 1, 0, X32_BIT],
    [JUMP_IF_EQUAL, 0, 1, OPENAT2],
    [RETURN, 0, 0, REFUSE | ENOSYS],
    ...judged(openat, 2),
    ...(open === null ? [] : judged(open, 1)),
    [RETURN, 0, 0, ALLOW],
  ]
}

/** struct sock_filter. */
function encoded([code, yes, no, operand]: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(yes, 2)
  bytes.writeUInt8(no, 3)
  bytes.writeUInt32LE(operand, 4)
  return bytes
}
