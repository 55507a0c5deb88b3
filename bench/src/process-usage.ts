// CPU time and memory of a process, as counted by Linux.

import { readFileSync } from 'node:fs'
import { setInterval } from 'node:timers'

/** Kernel ticks per second, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

/** Seconds of CPU that the process and its threads have used so far. */
export function cpuSeconds(pid: number): number {
  // The name of the process is in parentheses and may contain spaces: fields are counted after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The engine of an `orrery up`: the child that runs the listener. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

export interface MemoryPeak {
  /** Resident, mapped files (the log, the engine's library) included. */
  readonly residentMB: number
  /** Resident without mapped files: the memory that the process itself allocated. */
  readonly ownMB: number
}

/** Resident now, without mapped files. */
export function ownMegabytes(pid: number): number {
  return statusMegabytes(pid, 'RssAnon')
}

function statusMegabytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** Samples every 100 ms until `stop`, so a shorter peak of `ownMB` can be missed; `residentMB` is the kernel's own peak. */
export function watchMemory(pid: number): { stop(): MemoryPeak } {
  let ownMB = 0
  let residentMB = 0
  const look = (): void => {
    ownMB = Math.max(ownMB, ownMegabytes(pid))
    residentMB = statusMegabytes(pid, 'VmHWM')
  }
  const timer = setInterval(look, 100)
  return {
    stop() {
      clearInterval(timer)
      look()
      return { residentMB, ownMB }
    },
  }
}
