import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newUuid } from '../../../src/kernel/ids.ts'

const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '../../../..')

/** Where the service is in the texts. */
export const PRINTED_ORIGIN = 'http://127.0.0.1:8080'

/** A fenced block, with what the comment above it says of it: `<!-- mark: name -->`. */
export type Block = Readonly<{ language: string; mark: string; name: string; code: string }>

export async function blocksOf(path: string): Promise<Block[]> {
  const text = await readFile(join(ROOT, path), 'utf8')
  const form = /(?:^<!-- ([a-z ]+): ([^\n]+) -->\n+)?^```(\w*)\n(.*?)^```$/gms
  return [...text.matchAll(form)].map(([, mark = '', name = '', language = '', code = '']) => ({
    ...{ language, mark, name, code },
  }))
}

export type Page = Readonly<{
  /** Shell blocks that are run, by name, in the order of the page. */
  examples: ReadonlyMap<string, string>
  /** Programs that the reader is told to save, by file name. */
  files: ReadonlyMap<string, string>
  /** Pieces of programs, by name. */
  snippets: ReadonlyMap<string, string>
  /** Queries for the operator's eyes, by name. */
  queries: ReadonlyMap<string, string>
}>

export async function readPage(path: string): Promise<Page> {
  const blocks = await blocksOf(path)
  const marked = (wanted: string): Map<string, string> =>
    new Map(blocks.filter(({ mark }) => mark === wanted).map(({ name, code }) => [name, code]))
  return {
    examples: marked('example'),
    files: marked('file'),
    snippets: marked('snippet'),
    queries: marked('query'),
  }
}

export type Surroundings = Readonly<{
  /** Address of the service, without the version. */
  origin: string
  env: Readonly<Record<string, string | undefined>>
  /** Where the shell is; the root of the repository, unless the page says otherwise. */
  cwd?: string
  /** What else stands for something here: as printed → as it is. */
  replaced?: Readonly<Record<string, string>>
}>

const MARK = '=== example '

/**
 * Runs blocks as a reader would, one after the other in one shell; what each printed, by name. The first command that
 * fails ends it.
 */
export async function runExamples(
  examples: ReadonlyMap<string, string>,
  { origin, env, cwd = ROOT, replaced = {} }: Surroundings,
): Promise<ReadonlyMap<string, string>> {
  const blocks = [...examples].map(([name, code]) => `printf '\\n${MARK}${name}\\n'\n${code}`)
  // Whatever a block left running ends with the shell.
  const head = ['set -euo pipefail', `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`]
  let script = [...head, ...blocks].join('\n').replaceAll(PRINTED_ORIGIN, origin)
  for (const [printed, real] of Object.entries(replaced)) {
    script = script.replaceAll(printed, real)
  }
  const { stdout } = await run('bash', ['-c', script], { cwd, env: { ...process.env, ...env } })
  const parts = stdout.split(`\n${MARK}`).slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', ...lines] = part.split('\n')
      return [name, lines.join('\n')]
    }),
  )
}

type Piece = Readonly<{
  origin: string
  /** The names that the piece takes as known, and what they are. */
  given: Readonly<Record<string, string>>
  /** What a reader would write below it. */
  then?: string
}>

/** Runs a piece of a program beside the packages that it imports; what it printed. */
export async function runSnippet(
  code: string,
  { origin, given, then = '' }: Piece,
): Promise<string> {
  const known = `const { ${Object.keys(given).join(', ')} } = ${JSON.stringify(given)}`
  const path = join(ROOT, '.cache', `snippet-${newUuid()}.ts`)
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  await writeFile(path, [known, code.replaceAll(PRINTED_ORIGIN, origin), then].join('\n'))
  try {
    return (await run(process.execPath, [path])).stdout
  } finally {
    await rm(path)
  }
}
