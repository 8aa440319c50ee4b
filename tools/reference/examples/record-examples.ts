/**
 * `npm run record -- <paths>`: runs the test files whose path holds one of these, and keeps what the service was asked
 * and answered as the examples of the reference. `--fresh` also replaces what still fits its schema.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  readRecorded,
  RECORDED_FILE,
  type RecordedExamples,
} from '../../../server/src/infra/http/schema/examples/recorded-examples.ts'
import type { Exchange } from './exchange.ts'
import { findUnfit } from './find-unfit.ts'
import { mergeExamples } from './merge-examples.ts'

const NOTHING: RecordedExamples = { requests: {}, answers: {}, refusals: {}, refused: {} }

/** Answers whether they passed. What was answered meanwhile is checked against its schema in any case. */
async function runTests(paths: readonly string[], folder: string): Promise<boolean> {
  const child = spawn(process.execPath, ['tools/test.ts', ...paths], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, RECORD_EXAMPLES: folder },
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return status === 0
}

async function readExchanges(folder: string): Promise<Exchange[]> {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Exchange),
  )
}

/** One line per entry, so that a change shows what it is about. */
const fileText = (examples: RecordedExamples): string =>
  `{\n${Object.entries(examples)
    .map(([part, entries]) => {
      const lines = Object.entries(entries).map(
        ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
      )
      return `${JSON.stringify(part)}: {\n${lines.join(',\n')}\n}`
    })
    .join(',\n')}\n}\n`

const given = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'florin-examples-'))
try {
  const hasPassed = await runTests(
    given.filter((one) => one !== '--fresh'),
    folder,
  )
  process.exitCode = hasPassed ? 0 : 1
  const before = given.includes('--fresh') ? NOTHING : readRecorded()
  const merged = mergeExamples(before, await readExchanges(folder))
  await writeFile(RECORDED_FILE, fileText(merged))
  for (const place of findUnfit(merged)) console.log(`no example: ${place}`)
} finally {
  await rm(folder, { recursive: true })
}
