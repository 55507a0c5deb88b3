// Closes a listening socket of a running process, to simulate a server that runs and no longer listens. Linux.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { DataType, load, open } from 'ffi-rs'

// The numbers of the calls are the same on x64 and arm64.
const PIDFD_OPEN = 434
const PIDFD_GETFD = 438
const SHUT_RDWR = 2

/** Ends the listening of `pid` on TCP `port`. @throws when it does not listen there, or the system refuses. */
export function closeListener(pid: number, port: number): void {
  open({ library: 'libc', path: 'libc.so.6' })
  const pidfd = libc('syscall', PIDFD_OPEN, pid, 0)
  const socket = libc('syscall', PIDFD_GETFD, pidfd, descriptorOf(pid, port), 0)
  if (libc('shutdown', socket, SHUT_RDWR) !== 0) throw new Error(`The listener of process ${pid} on port ${port} cannot be closed.`)
  libc('close', socket)
  libc('close', pidfd)
}

/** Inodes of the sockets that listen, by port, in the network of `pid`. */
export function listeners(pid: number): Map<number, string> {
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  const cells = lines.map((line) => line.trim().split(/\s+/))
  const LISTEN = '0A'
  return new Map(
    cells.filter(([, , , state]) => state === LISTEN).map((of) => [Number.parseInt(of[1]?.split(':')[1] ?? '', 16), of[9] ?? '']),
  )
}

/** Descriptors of `pid` by the inode of their socket. */
export function sockets(pid: number): Map<string, number> {
  const entries = readdirSync(`/proc/${pid}/fd`).flatMap((descriptor): [string, number][] => {
    const inode = /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${descriptor}`))?.[1]
    return inode === undefined ? [] : [[inode, Number(descriptor)]]
  })
  return new Map(entries)
}

function descriptorOf(pid: number, port: number): number {
  const descriptor = sockets(pid).get(listeners(pid).get(port) ?? '')
  if (descriptor === undefined) throw new Error(`Process ${pid} does not listen on port ${port}.`)
  return descriptor
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return '' // closed meanwhile
  }
}

function libc(funcName: string, ...values: number[]): number {
  return load({ library: 'libc', funcName, retType: DataType.I64, paramsType: values.map(() => DataType.I64), paramsValue: values })
}
