// Output lines, the same in all benchmarks.

import { cpus } from 'node:os'

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function printMachine(): void {
  printLine(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`)
}

/** `name   value unit   note` */
export function figure(name: string, value: number, unit: string, note = ''): void {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  printLine(
    `${name.padEnd(44)} ${value.toLocaleString('en-US', { maximumFractionDigits: digits }).padStart(12)} ${unit.padEnd(10)} ${note}`.trimEnd(),
  )
}
