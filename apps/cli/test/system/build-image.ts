// Executes a Dockerfile without a container engine: each stage is a folder, and an absolute path of the image is a path below it. The base image
// is this machine with the Node that `npm install` brought; commands run as the user of this process.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { contextFilter, type Instruction } from './dockerfile.ts'

export interface Image {
  /** Folder that stands for `/`. */
  readonly root: string
  readonly workdir: string
  readonly user: { readonly uid: number; readonly gid: number } | null
  readonly env: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  /** What each `FROM` names, with the default of its build argument. */
  readonly bases: readonly string[]
}

interface Stage {
  readonly root: string
  workdir: string
  user: Image['user']
  readonly env: Record<string, string>
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

/** Copies what git has of the repository, and what .dockerignore lets through, as a build context. */
export function copyContext(repository: string, dockerignore: string, to: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: repository, encoding: 'utf8' })
  for (const path of listed.split('\n').filter((line) => line !== '' && contextFilter(dockerignore)(line))) {
    mkdirSync(join(to, dirname(path)), { recursive: true })
    copyFileSync(join(repository, path), join(to, path))
  }
}

/** @param folder Empty. Holds a folder for each stage afterwards. @throws Error on an instruction that is not known here, or a command that fails. */
export function buildImage(instructions: readonly Instruction[], context: string, folder: string): Image {
  const args = new Map<string, string>()
  const stages = new Map<string, Stage>()
  const bases: string[] = []
  let stage: Stage | null = null
  for (const { name, text } of instructions) {
    if (name === 'ARG') {
      const [argument = '', value = ''] = text.split('=')
      args.set(argument, value)
    } else if (name === 'FROM') {
      const [base = '', , alias = `stage-${stages.size}`] = text.split(/\s+/)
      bases.push(base.replace(/\$\{(\w+)\}/g, (_, argument: string) => args.get(argument) ?? ''))
      stage = newStage(join(folder, alias))
      stages.set(alias, stage)
    } else {
      if (stage === null) throw new Error(`${name} stands before FROM.`)
      apply(stage, { name, text }, context, stages)
    }
  }
  if (stage === null) throw new Error('There is no FROM.')
  return { ...stage, bases }
}

function newStage(root: string): Stage {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  return { root, workdir: '/', user: null, env: {}, entrypoint: [], command: [], healthcheck: [] }
}

function apply(stage: Stage, { name, text }: Instruction, context: string, stages: ReadonlyMap<string, Stage>): void {
  if (name === 'WORKDIR') {
    stage.workdir = resolve(stage.workdir, text)
    mkdirSync(join(stage.root, stage.workdir), { recursive: true })
  } else if (name === 'COPY') copy(stage, text, context, stages)
  else if (name === 'RUN') run(stage, text)
  else if (name === 'USER') stage.user = userOf(text)
  else if (name === 'ENV') {
    const [variable = '', value = ''] = text.split('=')
    stage.env[variable] = value
  } else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(text)
  else if (name === 'CMD') stage.command = JSON.parse(text)
  else if (name === 'HEALTHCHECK') stage.healthcheck = JSON.parse(text.replace(/^.*?\bCMD\s+/, ''))
  else if (name !== 'EXPOSE') throw new Error(`${name} is not known here.`)
}

function userOf(text: string): Image['user'] {
  const [uid = Number.NaN, gid = uid] = text.split(':').map(Number)
  if (!Number.isInteger(uid) || !Number.isInteger(gid)) throw new Error(`USER ${text} is not given by number.`)
  return { uid, gid }
}

function copy(stage: Stage, text: string, context: string, stages: ReadonlyMap<string, Stage>): void {
  const words = text.split(/\s+/)
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const to = join(stage.root, resolve(stage.workdir, paths.at(-1) ?? ''))
  const isFolder = paths.at(-1)?.endsWith('/') || paths.length > 2
  for (const path of paths.slice(0, -1)) {
    const source = from === undefined ? join(context, path) : join(stages.get(from)?.root ?? '', path)
    const target = isFolder || statSync(source).isDirectory() ? to : dirname(to)
    mkdirSync(target, { recursive: true })
    // As a copy into an image: nothing keeps its owner.
    execFileSync('cp', [
      '--recursive',
      '--no-dereference',
      '--preserve=mode',
      statSync(source).isDirectory() ? `${source}/.` : source,
      target,
    ])
  }
}

function run(stage: Stage, command: string): void {
  const inStage = command.replace(/(?<=^|\s)\/(?=[a-z])/g, `${stage.root}/`)
  // The stage's Node, as in the image; npm is the machine's.
  const path = `${stage.root}/usr/local/bin`
  execFileSync('sh', ['-ec', `export PATH="${path}:$PATH"; ${inStage}`], {
    cwd: join(stage.root, stage.workdir),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
