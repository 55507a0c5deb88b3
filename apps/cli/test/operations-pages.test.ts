// The commands on the pages for operators: each exists, and takes the options that the page gives it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { buildProgram } from '../src/program.ts'

const FOLDER = fileURLToPath(new URL('../../../docs/operations/', import.meta.url))

interface Shown {
  readonly page: string
  readonly line: string
}

/** Every line of a shell block that begins with `orrery`, and every command in the text. */
function shownCommands(page: string): Shown[] {
  const text = readFileSync(join(FOLDER, page), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'))
  const inText = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`(orrery [^`]+)`/g)].map(([, line = '']) => line)
  return [...blocks.filter((line) => line.startsWith('orrery ')), ...inText].map((line) => ({ page, line: line.replace(/ #.*/, '') }))
}

/** What is wrong with it; null when nothing is. */
function problemOf(program: Command, { line }: Shown): string | null {
  const words = line.split(/\s+/).slice(1)
  let command = program
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) break
    command = next
  }
  // COMMAND and <command> stand for any.
  if (command === program && !/^[-A-Z<]/.test(words[0] ?? '')) return `there is no command ${words[0]}`
  const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[,.=].*$/, ''))
  const unknown = flags.filter((flag) => flag !== '--help' && !command.options.some(({ long }) => long === flag))
  return unknown.length === 0 ? null : `${command.name()} has no ${unknown.join(', ')}`
}

it('every command of a page for operators exists, with the options that the page names', async () => {
  const { env, stdin, stdout, stderr } = process
  const program = await buildProgram([], { env, stdin, stdout, stderr, isColourWanted: false })
  const shown = readdirSync(FOLDER).flatMap(shownCommands)
  expect(shown.length).toBeGreaterThan(50)
  const wrong = shown.flatMap((one) => {
    const problem = problemOf(program, one)
    return problem === null ? [] : [`${one.page}: ${one.line}: ${problem}`]
  })
  expect(wrong).toEqual([])
})
