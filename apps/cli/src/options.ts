// An option of a command is a flag, an environment variable of the same name, and a schema. A flag wins over the variable.
// All problems are reported at once, each with both names.

import { isIP } from 'node:net'
import { OrreryError } from '@orrery/errors'
import { type Command, Option } from 'commander'
import { z } from 'zod'

export interface OptionSpec<Schema extends z.ZodType = z.ZodType> {
  /** As commander reads them: `--port <port>`, or `--json` for a switch. */
  readonly flags: string
  readonly help: string
  /** Reads the text of the flag or variable; `undefined` when neither is given. */
  readonly schema: Schema
}

/** Options by camelCase name: `fromLedger` is `--from-ledger` and ORRERY_FROM_LEDGER. */
export type OptionTable = Readonly<Record<string, OptionSpec>>
export type OptionValues<Table extends OptionTable> = { readonly [Name in keyof Table]: z.output<Table[Name]['schema']> }

export const port = (preset: number) => wholeNumber(0, 65_535).default(preset)
export const ledger = () => wholeNumber(1, 4_294_967_295)
export const text = () => z.string().min(1, 'must not be empty')
export const onOff = () =>
  z
    .union([z.boolean(), z.stringbool({ truthy: ['1', 'true', 'yes', 'on'], falsy: ['0', 'false', 'no', 'off'] })], {
      error: 'must be true or false',
    })
    .default(false)

/** `10.0.0.0/8, 192.0.2.7`, as it was written; what reads it knows the same rule. */
export const addressRanges = () =>
  z.string().refine((ranges) => ranges.split(',').every((range) => isRange(range.trim())), {
    error: 'must be addresses or ranges such as 10.0.0.0/8, with commas between',
  })

function isRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^[0-9]{1,10}$/, rule)
    .transform(Number)
    .refine((value) => value >= least && value <= most, rule)
}

export function option<Schema extends z.ZodType>(flags: string, help: string, schema: Schema): OptionSpec<Schema> {
  return { flags, help, schema }
}

export function addOptions(command: Command, table: OptionTable): Command {
  for (const [name, { flags, help }] of Object.entries(table)) command.addOption(new Option(flags, `${help} (${variableOf(name)})`))
  return command
}

/** @throws OrreryError `invalid`/`invalid_options` with a line for each problem. */
export function readOptions<Table extends OptionTable>(
  table: Table,
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): OptionValues<Table> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, { schema }] of Object.entries(table)) {
    // A variable that is set to nothing counts as not set: compose files write `NAME=` for "no value".
    const given = flags[name] ?? (env[variableOf(name)] || undefined)
    const read = schema.safeParse(given)
    if (read.success) values[name] = read.data
    else {
      const problem = given === undefined ? 'must be given' : (read.error.issues[0]?.message ?? 'cannot be used')
      problems.push(`  ${flagOf(name)} (or ${variableOf(name)}) ${problem}`)
    }
  }
  if (problems.length > 0) {
    const count = problems.length === 1 ? 'One option' : `${problems.length} options`
    throw new OrreryError('invalid', 'invalid_options', `${count} cannot be used. Nothing was started.\n${problems.join('\n')}`)
  }
  return values as OptionValues<Table> // one value a name, each made by the schema of that name
}

/** The options as the environment that a process reads: what was given as a flag wins. */
export function overlay(
  table: OptionTable,
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const given = Object.keys(table).flatMap((name) => (flags[name] === undefined ? [] : [[variableOf(name), String(flags[name])]]))
  return { ...env, ...Object.fromEntries(given) }
}

/** The flag of an option of this name. */
export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
const variableOf = (name: string): string => `ORRERY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
