// The command line from its arguments to an exit code. Errors become messages and codes only here.

import { EXIT, withSecretFiles } from '@orrery/service-kit'
import { CommanderError } from 'commander'
import { environment, isColourWanted } from './env.ts'
import { exitCodeOf, firstFailure, messageOf } from './exit.ts'
import { buildProgram } from './program.ts'

export async function main(args: readonly string[]): Promise<void> {
  // A reader that closes the pipe (`orrery up --json | head -1`) is no reason to stop indexing.
  process.stdout.on('error', () => undefined)
  try {
    const env = withSecretFiles(environment)
    const context = { env, isColourWanted, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr }
    const program = await buildProgram(args, context)
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed help, version or the error. It exits with 1 for wrong usage; `orrery` exits with 2.
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
      return
    }
    const failure = firstFailure(error)
    process.stderr.write(messageOf(failure))
    process.exitCode = exitCodeOf(failure)
  }
}
